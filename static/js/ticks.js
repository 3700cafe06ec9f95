/* The box in the head of a list ticks the rows of its page; it stands ticked while all of them are. */

const ROWS = "tbody th > input[type=checkbox]:not(:disabled)";

export function start() {
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(`.tick-all, ${ROWS}`)) return;
    const table = target.closest("table");
    const [all, rows] = [table.querySelector(".tick-all"), [...table.querySelectorAll(ROWS)]];
    if (target === all) for (const row of rows) row.checked = all.checked;
    else if (all) all.checked = rows.every((row) => row.checked);
  });
}
