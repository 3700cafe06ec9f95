/* From one marked word to the next, by key or button. Where the excerpt has no more of them, the rest of the document
   comes in for this card. */

import { byId } from "../browser.js";
import * as documentText from "./document-text.js";
import { focusDocument } from "./panels.js";
import { positionOf, rangeOf } from "./positions.js";
import { say } from "./say.js";

const MARKS = "mark:not(.evidence)";
let here = null; // the mark that was gone to last

const isShown = (mark) => mark.checkVisibility();
const marks = () => [...byId("text").querySelectorAll(MARKS)].filter(isShown);
const lies = (mark, node) => node.compareDocumentPosition(mark);

/** Where the document is seen, in pixels of the window. */
function view() {
  const { top, bottom } = byId("document").getBoundingClientRect();
  return { top: Math.max(top, 0), bottom: Math.min(bottom, innerHeight) };
}

/** Who has scrolled on from the mark gone to last is elsewhere: the next step begins with what is in sight. */
function leaveIfPassed() {
  if (!here?.isConnected || !isShown(here)) return;
  const { top, bottom } = here.getBoundingClientRect();
  if (bottom > view().top && top < view().bottom) return;
  here.classList.remove("here");
  here = null;
}

/** The mark after (1) or before (-1) the one gone to last; without such a one, the first in sight or the last before. */
function following(all, step) {
  if (here?.isConnected && isShown(here)) return all[all.indexOf(here) + step];
  const isAhead = (mark) => mark.getBoundingClientRect().bottom > view().top;
  return step > 0 ? all.find(isAhead) : all.findLast((mark) => !isAhead(mark));
}

/** Bring in all of the document; the mark gone to last, or the place where the excerpt began, is found in it again. */
async function open(step) {
  const { start, end } = byId("text").dataset;
  const at = here?.isConnected ? positionOf(here, 0) : Number(step > 0 ? end : start);
  if (!(await documentText.open())) return null;
  const all = marks();
  const node = rangeOf(at, at + 1).startContainer;
  if (step < 0) return all.findLast((mark) => lies(mark, node) & Node.DOCUMENT_POSITION_PRECEDING && !mark.contains(node));
  return all.find((mark) => lies(mark, node) & Node.DOCUMENT_POSITION_FOLLOWING && !mark.contains(node));
}

function goTo(mark) {
  here?.classList.remove("here");
  here = mark;
  here.classList.add("here");
  for (let n = 0; n < 3; n += 1) here.scrollIntoView({ block: "center" }); // what is laid out on the way moves it
  const all = marks();
  say(`Mark ${all.indexOf(here) + 1} of ${all.length}${documentText.hasMore() ? " in the excerpt" : ""}.`);
  focusDocument();
}

async function step(by) {
  documentText.showMarks();
  leaveIfPassed();
  const { token } = byId("card").dataset;
  const mark = following(marks(), by) ?? (documentText.hasMore() ? await open(by) : undefined);
  if (byId("card").dataset.token !== token || mark === null) return; // gone, or said already why not
  if (mark) goTo(mark);
  else if (marks().length) say(by > 0 ? "That is the last mark." : "That is the first mark.");
  else say("Nothing is marked in this document.");
}

export const next = () => step(1);
export const previous = () => step(-1);

export function show() {
  here = null;
}

export function start() {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest(".mark-step");
    if (button) step(Number(button.value));
  });
}
