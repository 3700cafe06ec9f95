/* A part of a page that looks again by itself: <div data-live="SECONDS" hx-get="…" hx-trigger="look" hx-swap="outerHTML">.

   It looks only while the page is seen, at once when somebody comes back to it, and not while text in it is being
   selected, nor once something was entered in it. What was open, scrolled and focused before the swap is so after it:
   each such element needs an id, but for links. When the part comes back without data-live, it is over. */

const live = () => document.querySelector("[data-live]");
let lookedAt = Date.now();
let before = null;
let isEdited = false;

const isSelecting = (part) => !getSelection().isCollapsed && part.contains(getSelection().anchorNode);

function look() {
  const part = live();
  if (!part || document.hidden || isEdited || isSelecting(part) || Date.now() - lookedAt < 1000 * Number(part.dataset.live)) return;
  lookedAt = Date.now();
  htmx.trigger(part, "look");
}

setInterval(look, 1000);
document.addEventListener("visibilitychange", look);
document.addEventListener("input", ({ target }) => {
  isEdited ||= Boolean(live()?.contains(target));
});

const withIds = (part, selector) => [...part.querySelectorAll(selector)].filter((each) => each.id);

function selectorOf(element) {
  const href = !element.id && element.getAttribute("href");
  return href ? `a[href="${CSS.escape(href)}"]` : `#${CSS.escape(element.closest("[id]").id)}`;
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target !== live()) return;
  const part = detail.target;
  before = {
    open: withIds(part, "details").map((each) => [each.id, each.open]),
    scrolled: withIds(part, ".table-scroll").map((each) => [each.id, each.scrollLeft, each.scrollTop]),
    focused: part.contains(document.activeElement) ? selectorOf(document.activeElement) : "",
    focusOnSummary: document.activeElement.matches("summary"),
    top: window.scrollY,
  };
});

document.addEventListener("htmx:afterSwap", () => {
  if (!before) return;
  const { open, scrolled, focused, focusOnSummary, top } = before;
  before = null;
  for (const [id, isOpen] of open) document.getElementById(id)?.toggleAttribute("open", isOpen);
  for (const [id, left, down] of scrolled) document.getElementById(id)?.scrollTo(left, down);
  const element = focused && document.querySelector(focused);
  if (element) (focusOnSummary ? element.querySelector("summary") : element).focus({ preventScroll: true });
  window.scrollTo(0, top);
});
