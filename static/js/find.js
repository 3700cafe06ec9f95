/* Find: Ctrl+K opens one line that leads to every page, deed and thing of the collection. Arrows choose, Enter goes: to
   what the words lead to, though their answer is still on its way. */

const PAUSE_MS = 120;

/** Only the answer to the last question is shown. */
let asked = 0;
let answered; // the words that the list answers

async function ask(dialog) {
  const mine = ++asked;
  const words = dialog.querySelector("input").value;
  const answer = await fetch(`${dialog.dataset.source}?q=${encodeURIComponent(words)}`, { headers: { "X-Find": "1" } });
  if (mine !== asked || !answer.ok || answer.redirected) return;
  const list = dialog.querySelector(".find-list");
  list.innerHTML = await answer.text();
  answered = words;
  const places = [...list.querySelectorAll(".found")];
  for (const [n, place] of places.entries()) {
    place.id = `found-place-${n}`;
    place.setAttribute("role", "option");
    place.tabIndex = -1;
  }
  if (places.length) list.setAttribute("role", "listbox");
  else list.removeAttribute("role");
  choose(dialog, places[0]);
  const n = list.querySelectorAll("[role=group] .found").length; // else a way on is offered, which is no hit
  dialog.querySelector("[role=status]").textContent = n ? `${n} found` : list.querySelector("p").textContent;
}

function choose(dialog, place) {
  for (const other of dialog.querySelectorAll(".found")) other.setAttribute("aria-selected", String(other === place));
  dialog.querySelector("input").setAttribute("aria-activedescendant", place?.id ?? "");
  place?.scrollIntoView({ block: "nearest" });
}

function move(dialog, step) {
  const places = [...dialog.querySelectorAll(".found")];
  const now = places.findIndex((place) => place.getAttribute("aria-selected") === "true");
  if (places.length) choose(dialog, places[(now + step + places.length) % places.length]);
}

async function go(dialog) {
  if (answered !== dialog.querySelector("input").value) await ask(dialog);
  if (answered === dialog.querySelector("input").value) dialog.querySelector("[aria-selected=true]")?.click();
}

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

function onKey(event) {
  const dialog = event.currentTarget;
  if (event.key in STEPS) move(dialog, STEPS[event.key]);
  else if (event.key === "Enter") go(dialog);
  else if (event.key === "Escape") dialog.close(); // a browser would empty the line first
  else return;
  event.preventDefault();
}

function open(dialog) {
  dialog.showModal();
  dialog.querySelector("input").select();
  ask(dialog);
}

/** Nothing happens on pages without the dialog, nor while another is open. */
export function start() {
  const dialog = document.querySelector("dialog.find");
  if (!dialog) return;
  let waiting;
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else if (!document.querySelector("dialog[open]")) open(dialog);
  });
  document.querySelector(".find-open").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(dialog);
  });
  dialog.addEventListener("keydown", onKey);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.querySelector("input").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => ask(dialog), PAUSE_MS);
  });
}
