"use strict";
/* The evidence: a stretch of the document, from a selection by mouse, finger or caret, or chosen by sentences with the
   arrow keys. What is marked is what goes with the grade; nothing waits to be confirmed. */
const JudgeEvidence = (() => {
  const SAID = 90; // characters of it that are read out
  const NEAR = 100; // stretches of text before and after what is in sight, of which the sentences are known
  const byId = (id) => document.getElementById(id);
  const card = () => byId("card");
  let choosing = null; // sentences to choose from, where the choice began and where it is, what was there before
  let held = null; // what was selected when a finger came down on the button, which takes the selection away

  const current = () => {
    const { evidenceStart: start, evidenceEnd: end } = card().dataset;
    return start === undefined || start === "" ? null : [Number(start), Number(end)];
  };

  /** The card and the form of its grade know it; so it is there again when the card comes back. */
  function keep(span) {
    const [start, end] = span ?? ["", ""];
    Object.assign(card().dataset, { evidenceStart: start, evidenceEnd: end });
    const { elements } = byId("grades");
    elements.evidence_start.value = start;
    elements.evidence_end.value = end;
    show();
  }

  function show() {
    const span = byId("text") && current();
    if (byId("text")) JudgePlaces.unmark();
    if (span) JudgePlaces.mark(...span);
    byId("evidence-line").hidden = !span;
    byId("evidence-line").classList.toggle("choosing", Boolean(choosing));
    byId("evidence")?.setAttribute("aria-pressed", String(Boolean(span)));
    if (span) byId("evidence-text").textContent = said(span);
  }

  function said([start, end]) {
    const text = JudgePlaces.read(start, end).replace(/\s+/g, " ").trim();
    if (!text) return "outside of the excerpt";
    return text.length > SAID ? `${text.slice(0, SAID / 2).trim()} … ${text.slice(-SAID / 2).trim()}` : text;
  }

  /** What is selected in the document, without blanks at its ends; null for nothing. */
  function selected() {
    const selection = document.getSelection();
    const text = byId("text");
    if (!text || selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(text)) return null;
    const start = JudgePlaces.placeOf(range.startContainer, range.startOffset);
    const end = JudgePlaces.placeOf(range.endContainer, range.endOffset);
    const words = JudgePlaces.read(start, end);
    if (!words.trim()) return null;
    const before = JudgePlaces.length(words) - JudgePlaces.length(words.trimStart());
    return [start + before, start + before + JudgePlaces.length(words.trim())];
  }

  /** The key or the button: the selection, or else a choice by sentences begins or ends. */
  function take() {
    if (!byId("text")) return;
    const span = selected() ?? held;
    held = null;
    if (!span) return choosing ? finish() : choose();
    document.getSelection().removeAllRanges();
    choosing = null;
    keep(span);
    JudgeSay.announce(`Evidence: ${said(span)}`);
  }

  function choose() {
    const runs = JudgePlaces.runs();
    if (!runs.length) return JudgeSay.say("This document has no text to choose from.");
    const before = current();
    const [start, end] = before ?? begin(runs);
    const near = runs.findIndex((run) => run.end > start);
    const spans = runs.slice(Math.max(0, near - NEAR), near + NEAR).flatMap((run) => JudgePlaces.sentencesOf(run));
    const [from, to] = covering(spans, [start, end]);
    choosing = { spans, from, to, before };
    JudgePanels.focusDocument();
    move(0, 0, "Arrow keys choose a sentence, with Shift more of them; Enter keeps, Delete removes, Escape leaves it as it was. ");
  }

  /** First and last of the sentences that have part of a stretch. */
  function covering(spans, [start, end]) {
    const from = spans.findIndex((span) => span[1] > start);
    const to = spans.findLastIndex((span) => span[0] < end);
    return from < 0 || to < from ? [0, 0] : [from, to];
  }

  /** A place in the first sentence in sight, better one with a word of the topic in it. */
  function begin(runs) {
    const frame = byId("document").getBoundingClientRect();
    const inSight = (element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > Math.max(frame.top, 0) + 8 && top < Math.min(frame.bottom, innerHeight);
    };
    const marked = [...byId("text").querySelectorAll("mark:not(.evidence, .own)")].find((mark) => mark.offsetParent && inSight(mark));
    const run = runs.find(({ element }) => inSight(element)) ?? runs[0];
    const place = marked ? JudgePlaces.placeOf(marked, 0) : run.start;
    return [place, place + 1];
  }

  /** From here to there: `to` moves with Shift, both without. */
  function move(from, to, hint = "") {
    const last = choosing.spans.length - 1;
    choosing.from = Math.max(0, Math.min(last, choosing.from + from));
    choosing.to = Math.max(0, Math.min(last, choosing.to + to));
    const [a, b] = [Math.min(choosing.from, choosing.to), Math.max(choosing.from, choosing.to)];
    keep([choosing.spans[a][0], choosing.spans[b][1]]);
    byId("text").querySelector("mark.evidence")?.scrollIntoView({ block: "nearest" });
    JudgeSay.announce(`${hint}Evidence: ${byId("evidence-text").textContent}`);
  }

  function step(by, isLonger) {
    if (!choosing) choose();
    else if (isLonger) move(0, by);
    else {
      choosing.from = choosing.to = by > 0 ? Math.max(choosing.from, choosing.to) : Math.min(choosing.from, choosing.to);
      move(by, by);
    }
  }

  function finish() {
    choosing = null;
    show();
    JudgeSay.announce("Evidence kept.");
  }

  function remove() {
    choosing = null;
    keep(null);
    JudgeSay.announce("Evidence removed.");
    JudgePanels.focusDocument();
  }

  function leave() {
    const { before } = choosing;
    choosing = null;
    keep(before);
    JudgeSay.announce(before ? "Evidence as it was." : "No evidence.");
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

  document.addEventListener("keydown", (event) => {
    const isHere = event.target === document.body || event.target.closest("#document");
    if (!choosing || !isHere || event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key]) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    KEYS[event.key](event);
  }, true);

  const BUTTONS = {
    "evidence-before": () => step(-1, false),
    "evidence-after": () => step(1, false),
    "evidence-longer": () => step(1, true),
    "evidence-remove": remove,
    "evidence-done": finish,
  };

  document.addEventListener("pointerdown", (event) => {
    held = event.target.closest("#evidence") ? selected() : null;
  }, true);
  document.addEventListener("click", (event) => {
    const deed = BUTTONS[event.target.closest("#evidence-line button")?.id];
    if (deed) deed();
    else if (choosing && event.target.closest("#text")) pick(event);
  });

  /** While sentences are chosen, a tap chooses the one under it. */
  function pick({ clientX, clientY }) {
    const spot = document.caretPositionFromPoint?.(clientX, clientY);
    const range = spot ? null : document.caretRangeFromPoint?.(clientX, clientY);
    const [node, offset] = spot ? [spot.offsetNode, spot.offset] : [range?.startContainer, range?.startOffset];
    if (!node || selected()) return;
    const place = JudgePlaces.placeOf(node, offset);
    [choosing.from, choosing.to] = covering(choosing.spans, [place, place + 1]);
    move(0, 0);
  }

  document.addEventListener("judge:evidence", take);
  document.addEventListener("judge:card", () => {
    choosing = null;
    show();
  });
  document.addEventListener("judge:text", () => {
    choosing = null;
    show();
  });
  show();
})();
