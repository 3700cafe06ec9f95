/* What a mark of a drawing says stands beside it at once, be it a pointer, a finger or a key that has come to it; and what
   has the same name stands out in the other drawings of the page. Without script a browser shows it a second later. */

const GAP = 14; // px between what is pointed at and what is said of it
const EDGE = 8; // px that stay free at the edges of the window
const LINGER_MS = 150; // it can be reached with the pointer

const MARK = "svg :is(.mark, .head, circle, rect, path, line, polyline):has(title)";
const markAt = (target) => (target instanceof Element ? target.closest(MARK) : null);

let says; // the paragraph
let shown; // the mark it is said of
let hushed; // its title, while the browser would show that, too
let leaving;

function hide() {
  clearTimeout(leaving);
  if (hushed) hushed.textContent = says.textContent;
  for (const mark of document.querySelectorAll("svg .same")) mark.classList.remove("same");
  says.remove();
  shown = hushed = undefined;
}

function show(mark, { x, y }, isPointed) {
  clearTimeout(leaving);
  if (mark === shown) return;
  hide();
  const title = mark.querySelector("title");
  shown = mark;
  says.textContent = title.textContent;
  if (isPointed) {
    title.textContent = "";
    hushed = title;
  }
  const { of } = mark.dataset;
  if (of) for (const other of document.querySelectorAll(`svg [data-of="${CSS.escape(of)}"]`)) other.classList.add("same");
  document.body.append(says);
  const { width, height } = says.getBoundingClientRect();
  const above = y - height - GAP;
  says.style.left = `${Math.max(EDGE, Math.min(x - width / 2, document.documentElement.clientWidth - width - EDGE))}px`;
  says.style.top = `${above < EDGE ? y + GAP : above}px`;
}

function onPointer(event) {
  const mark = markAt(event.target);
  if (mark) show(mark, event, true);
  else if (event.target === says) clearTimeout(leaving);
  else if (shown) leaving = setTimeout(hide, LINGER_MS);
}

function onFocus(event) {
  const mark = markAt(event.target);
  if (!mark) return;
  const { left, top, width } = mark.getBoundingClientRect();
  show(mark, { x: left + width / 2, y: top }, false);
}

/** Nothing is listened to on pages without drawings; those that come later are few and have no names. */
export function start() {
  if (!document.querySelector("svg title")) return;
  says = document.createElement("p");
  says.className = "plot-says";
  says.setAttribute("aria-hidden", "true"); // a screen reader has it from the mark itself
  document.addEventListener("pointerover", onPointer);
  document.addEventListener("focusin", onFocus);
  document.addEventListener("focusout", () => shown && hide());
  document.addEventListener("scroll", () => shown && hide(), { capture: true, passive: true });
  document.addEventListener("keydown", (event) => event.key === "Escape" && shown && hide());
  document.documentElement.addEventListener("pointerleave", () => shown && hide());
}
