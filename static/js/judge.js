/* The judging page: starts its modules, and says which of them hears of an answer, a card or a form. */

import { byId } from "./browser.js";
import * as answers from "./judge/answers.js";
import * as bar from "./judge/bar.js";
import * as cards from "./judge/cards.js";
import * as documentText from "./judge/document-text.js";
import * as evidence from "./judge/evidence.js";
import * as grading from "./judge/grading.js";
import * as guideline from "./judge/guideline.js";
import * as keys from "./judge/keys.js";
import * as marks from "./judge/marks.js";
import * as panels from "./judge/panels.js";
import * as queue from "./judge/queue.js";
import * as revisit from "./judge/revisit.js";
import * as say from "./judge/say.js";
import * as send from "./judge/send.js";
import * as session from "./judge/session.js";
import * as time from "./judge/time.js";

send.start({
  cards: (besides) => cards.tokens(besides).join(","),
  answered(detail) {
    revisit.remember(detail);
    answers.take(detail);
  },
  asked: answers.ask,
  refused: answers.refuse,
  changed: say.trouble,
});
for (const part of [say, time, bar, panels, revisit]) part.start();

const parts = []; // what follows the card on the screen, in this order, once the first one is there
cards.start((card) => {
  grading.show(card);
  show(card);
  grading.arrive(card);
});

function show(card) {
  for (const part of parts) part.show(card);
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!form.dataset.deed) return;
  event.preventDefault();
  if (form.id === "grades") grading.grade(submitter);
  else if (form.dataset.deed === "undo") revisit.undo(form);
  else grading.submit(form);
}, true);

// A page that comes back from the browser's memory shows cards of then.
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

queue.adopt(); // what waits from before goes first
documentText.start(evidence.show);
for (const part of [grading, session, evidence, marks, keys]) part.start();
parts.push(session, documentText, evidence, marks, keys, guideline);
grading.lookAhead();
show(byId("card"));
