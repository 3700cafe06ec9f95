/* A part of a page that looks again by itself: <div id="…" data-live="SECONDS" hx-get="…" hx-trigger="look" hx-swap="outerHTML">.

   It looks only while the page is seen, at once when somebody comes back to it, and not while text in it is being
   selected, nor while a field in it says something else than it came with. What was open, scrolled and focused before
   the swap is so after it: each such element needs an id, but for links and boxes to tick. When the part comes back
   without data-live, it is over. */

const live = () => document.querySelector("[data-live]");
let lookedAt = Date.now();
let before = null;

const isSelecting = (part) => !getSelection().isCollapsed && part.contains(getSelection().anchorNode);

function isChanged(field) {
  if (!field.matches("select")) return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  const options = [...field.options];
  const first = field.multiple || options.some((each) => each.defaultSelected) ? null : options[0];
  return options.some((each) => each.selected !== (each.defaultSelected || each === first));
}

const isEdited = (part) => [...part.querySelectorAll("input, select, textarea")].some(isChanged);

function look() {
  const part = live();
  if (!part || document.hidden || Date.now() - lookedAt < 1000 * Number(part.dataset.live)) return;
  if (isSelecting(part) || isEdited(part)) return;
  lookedAt = Date.now();
  htmx.trigger(part, "look");
}

setInterval(look, 1000);
document.addEventListener("visibilitychange", look);

const withIds = (part, selector) => [...part.querySelectorAll(selector)].filter((each) => each.id);

function selectorOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.matches("a[href]")) return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
  if (element.matches("[name][value]")) return `[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`;
  return `#${CSS.escape(element.closest("[id]").id)}`;
}

/* What finds the element again: of those that are alike, it is the one at `index`. */
function placeOf(element, part) {
  const selector = selectorOf(element);
  return { selector, index: Math.max(0, [...part.querySelectorAll(selector)].indexOf(element)) };
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target !== live()) return;
  const part = detail.target;
  if (isEdited(part)) {
    detail.shouldSwap = false;
    return;
  }
  before = {
    part: part.id,
    open: withIds(part, "details").map((each) => [each.id, each.open]),
    scrolled: withIds(part, ".table-scroll").map((each) => [each.id, each.scrollLeft, each.scrollTop]),
    focused: part.contains(document.activeElement) ? placeOf(document.activeElement, part) : null,
    focusOnSummary: document.activeElement.matches("summary"),
    top: window.scrollY,
  };
});

document.addEventListener("htmx:afterSwap", () => {
  if (!before) return;
  const { part, open, scrolled, focused, focusOnSummary, top } = before;
  before = null;
  for (const [id, isOpen] of open) document.getElementById(id)?.toggleAttribute("open", isOpen);
  for (const [id, left, down] of scrolled) document.getElementById(id)?.scrollTo(left, down);
  const element = focused && document.getElementById(part)?.querySelectorAll(focused.selector)[focused.index];
  if (element) (focusOnSummary ? element.querySelector("summary") : element).focus({ preventScroll: true });
  window.scrollTo(0, top);
});
