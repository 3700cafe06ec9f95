/* What the server has answered: said in words, and its cards put in place. */

import { byId, parse } from "../browser.js";
import * as bar from "./bar.js";
import * as cards from "./cards.js";
import * as guideline from "./guideline.js";
import * as queue from "./queue.js";
import { announce, say } from "./say.js";
import * as session from "./session.js";

let recovered = 0; // how many came through since the last failure

export function take(detail) {
  const { entry, answer } = detail;
  renew(answer.querySelector(".progress-parts"));
  cards.take(answer, { turn: entry.deed === "undo" });
  bar.free();
  if (!entry.quiet) tell(detail);
}

/** Own and batch progress, and whether there is something to undo. */
function renew(progress) {
  if (!progress) return;
  byId("progress").replaceWith(document.importNode(progress, true));
  bar.renewUndo();
  session.renew();
  setTimeout(guideline.compare);
}

function tell(detail) {
  const { outcome } = detail.answer.dataset;
  const isSaved = ["saved", "replayed"].includes(outcome);
  if (detail.recovered || recovered) recovered += 1;
  const text = recovered > 1 ? `Saved: the ${recovered} that waited` : textOf(detail);
  const isLast = !queue.lasting().length;
  if (isLast) recovered = 0;
  if (outcome === "refused") say(textOf(detail), "bad");
  else if (isLast && text) say(text, isSaved ? "ok" : "");
  else announce(text);
}

function textOf({ entry, answer }) {
  const text = answer.querySelector(".said")?.textContent.replace("✓", "").trim() ?? "";
  return entry.adopted && entry.title ? `${text} for “${entry.title}”` : text;
}

/** The server asks which of two grades stands. A choice made already is sent again under the new card. */
export function ask({ entry, text }) {
  const section = parse(text).getElementById("card");
  cards.strike(entry.token);
  if (entry.fields.change) {
    const token = section.querySelector("[name=token]").value;
    queue.add({ ...entry, token, fields: { ...entry.fields, token } });
  } else cards.show(document.importNode(section, true));
}

/** The server refused it for good: its card can be graded again. */
export function refuse(entry) {
  delete cards.section(entry.token)?.dataset.waiting;
  if (cards.settle()) bar.fill(byId("card"));
}
