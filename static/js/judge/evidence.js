/* The evidence: a stretch of the document, from a selection by mouse, finger or caret, or chosen by sentences with the
   arrow keys. What is marked is what goes with the grade; nothing waits to be confirmed. */

import { byId } from "../browser.js";
import { focusDocument } from "./panels.js";
import * as positions from "./positions.js";
import { announce, say } from "./say.js";

const SPOKEN = 90; // characters of it that are read out
const NEAR = 100; // stretches of text before and after what is in sight, of which the sentences are known
let choice = null; // sentences to choose from, where the choice began and where it is, what was there before
let lastSelection = null; // when a finger came down on the button, which takes the selection away

const current = () => {
  const { evidenceStart: start, evidenceEnd: end } = byId("card").dataset;
  return start === undefined || start === "" ? null : [Number(start), Number(end)];
};

/** The card and the form of its grade know it; so it is there again when the card comes back. */
function keep(span) {
  const [start, end] = span ?? ["", ""];
  Object.assign(byId("card").dataset, { evidenceStart: start, evidenceEnd: end });
  const { elements } = byId("grades");
  elements.evidence_start.value = start;
  elements.evidence_end.value = end;
  draw();
}

function draw() {
  const span = byId("text") && current();
  if (byId("text")) positions.unmark();
  if (span) positions.mark(...span);
  byId("evidence-line").hidden = !span;
  byId("evidence-line").classList.toggle("choosing", Boolean(choice));
  byId("evidence")?.setAttribute("aria-pressed", String(Boolean(span)));
  if (span) byId("evidence-text").textContent = textOf(span);
}

function textOf([start, end]) {
  const text = positions.read(start, end).replace(/\s+/g, " ").trim();
  if (!text) return "outside of the excerpt";
  return text.length > SPOKEN ? `${text.slice(0, SPOKEN / 2).trim()} … ${text.slice(-SPOKEN / 2).trim()}` : text;
}

/** What is selected in the document, without blanks at its ends; null for nothing. */
function selection() {
  const browserSelection = document.getSelection();
  const text = byId("text");
  if (!text || browserSelection.isCollapsed || !browserSelection.rangeCount) return null;
  const range = browserSelection.getRangeAt(0);
  if (!range.intersectsNode(text)) return null;
  const start = positions.positionOf(range.startContainer, range.startOffset);
  const end = positions.positionOf(range.endContainer, range.endOffset);
  const words = positions.read(start, end);
  if (!words.trim()) return null;
  const before = positions.length(words) - positions.length(words.trimStart());
  return [start + before, start + before + positions.length(words.trim())];
}

/** The key or the button: the selection, or else a choice by sentences begins or ends. */
export function take() {
  if (!byId("text")) return;
  const span = selection() ?? lastSelection;
  lastSelection = null;
  if (!span) return choice ? finish() : choose();
  document.getSelection().removeAllRanges();
  choice = null;
  keep(span);
  announce(`Evidence: ${textOf(span)}`);
}

function choose() {
  const runs = positions.runs();
  if (!runs.length) return say("This document has no text to choose from.");
  const before = current();
  const [start, end] = before ?? begin(runs);
  const near = runs.findIndex((run) => run.end > start);
  const spans = runs.slice(Math.max(0, near - NEAR), near + NEAR).flatMap((run) => positions.sentencesOf(run));
  const [from, to] = covering(spans, [start, end]);
  choice = { spans, from, to, before };
  focusDocument();
  move(0, 0, "Arrow keys choose a sentence, with Shift more of them; Enter keeps, Delete removes, Escape leaves it as it was. ");
}

/** First and last of the sentences that have part of a stretch. */
function covering(spans, [start, end]) {
  const from = spans.findIndex((span) => span[1] > start);
  const to = spans.findLastIndex((span) => span[0] < end);
  return from < 0 || to < from ? [0, 0] : [from, to];
}

/** A position in the first sentence in sight, better one with a word of the topic in it. */
function begin(runs) {
  const frame = byId("document").getBoundingClientRect();
  const inSight = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > Math.max(frame.top, 0) + 8 && top < Math.min(frame.bottom, innerHeight);
  };
  const marked = [...byId("text").querySelectorAll("mark:not(.evidence, .own)")].find((mark) => mark.offsetParent && inSight(mark));
  const run = runs.find(({ element }) => inSight(element)) ?? runs[0];
  const at = marked ? positions.positionOf(marked, 0) : run.start;
  return [at, at + 1];
}

/** From here to there: `to` moves with Shift, both without. */
function move(from, to, hint = "") {
  const last = choice.spans.length - 1;
  choice.from = Math.max(0, Math.min(last, choice.from + from));
  choice.to = Math.max(0, Math.min(last, choice.to + to));
  const [a, b] = [Math.min(choice.from, choice.to), Math.max(choice.from, choice.to)];
  keep([choice.spans[a][0], choice.spans[b][1]]);
  byId("text").querySelector("mark.evidence")?.scrollIntoView({ block: "nearest" });
  announce(`${hint}Evidence: ${byId("evidence-text").textContent}`);
}

function step(by, isLonger) {
  if (!choice) choose();
  else if (isLonger) move(0, by);
  else {
    choice.from = choice.to = by > 0 ? Math.max(choice.from, choice.to) : Math.min(choice.from, choice.to);
    move(by, by);
  }
}

function finish() {
  choice = null;
  draw();
  announce("Evidence kept.");
}

function remove() {
  choice = null;
  keep(null);
  announce("Evidence removed.");
  focusDocument();
}

function leave() {
  const { before } = choice;
  choice = null;
  keep(before);
  announce(before ? "Evidence as it was." : "No evidence.");
}

const KEYS = {
  ArrowDown: ({ shiftKey }) => step(1, shiftKey),
  ArrowRight: ({ shiftKey }) => step(1, shiftKey),
  ArrowUp: ({ shiftKey }) => step(-1, shiftKey),
  ArrowLeft: ({ shiftKey }) => step(-1, shiftKey),
  Enter: finish,
  Delete: remove,
  Backspace: remove,
  Escape: leave,
};

const BUTTONS = {
  "evidence-before": () => step(-1, false),
  "evidence-after": () => step(1, false),
  "evidence-longer": () => step(1, true),
  "evidence-remove": remove,
  "evidence-done": finish,
};

/** While sentences are chosen, a tap chooses the one under it. */
function pick({ clientX, clientY }) {
  const spot = document.caretPositionFromPoint?.(clientX, clientY);
  const range = spot ? null : document.caretRangeFromPoint?.(clientX, clientY);
  const [node, offset] = spot ? [spot.offsetNode, spot.offset] : [range?.startContainer, range?.startOffset];
  if (!node || selection()) return;
  const at = positions.positionOf(node, offset);
  [choice.from, choice.to] = covering(choice.spans, [at, at + 1]);
  move(0, 0);
}

/** Another card is on the screen, or other text of the document. */
export function show() {
  choice = null;
  draw();
}

export function start() {
  document.addEventListener("keydown", (event) => {
    const isHere = event.target === document.body || event.target.closest("#document");
    if (!choice || !isHere || event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key]) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    KEYS[event.key](event);
  }, true);
  document.addEventListener("pointerdown", ({ target }) => {
    lastSelection = target.closest("#evidence") ? selection() : null;
  }, true);
  document.addEventListener("click", (event) => {
    const deed = BUTTONS[event.target.closest("#evidence-line button")?.id];
    if (deed) deed();
    else if (choice && event.target.closest("#text")) pick(event);
  });
}
