/* The box in the head of a list ticks the rows of its page; it stands ticked while all of them are. Two buttons above
   many choices of a form tick all of them and none. */

const ROWS = "tbody th > input[type=checkbox]:not(:disabled)";

export function start() {
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(`.tick-all, ${ROWS}`)) return;
    const table = target.closest("table");
    const [all, rows] = [table.querySelector(".tick-all"), [...table.querySelectorAll(ROWS)]];
    if (target === all) for (const row of rows) row.checked = all.checked;
    else if (all) all.checked = rows.every((row) => row.checked);
  });
  document.addEventListener("click", ({ target }) => {
    if (!target.matches("[data-tick]")) return;
    const boxes = [...target.closest("fieldset").querySelectorAll("input[type=checkbox]:not(:disabled)")];
    for (const box of boxes) box.checked = Boolean(target.dataset.tick);
    for (const name of ["input", "change"]) boxes[0]?.dispatchEvent(new Event(name, { bubbles: true }));
  });
}
