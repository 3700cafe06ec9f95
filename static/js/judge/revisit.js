/* Back to the card before: one skipped or put off that has not left the page, or what was graded, the last one or one
   of the list of recent ones. */

import { byId, parse } from "../browser.js";
import * as bar from "./bar.js";
import * as cards from "./cards.js";
import * as grading from "./grading.js";
import * as queue from "./queue.js";
import { say } from "./say.js";
import { request } from "./send.js";

const past = []; // tokens of what was graded here, in order
const reopened = new Map(); // token of a card opened again → the one under which it was graded
let index = null; // which of them is open again
let aside = ""; // what an undo says first, when the last deed was no grade
const ASIDE = {
  skip: "The last card was skipped, and stays so. Undo once more opens the card you graded before it.",
  later: "The last card comes again at the end of its topic. Undo once more opens the card you graded before it.",
};

/** What the next undo opens; "" leaves it to the server, which knows what was graded before this page. */
const before = () => past.at(index === null ? -1 : index - past.length - 1) ?? "";

/** The grade given last, while it is on its way and its card is still here. */
function lastOnItsWay() {
  const last = queue.lasting().at(-1);
  return last?.deed === "grade" && cards.section(last.token) ? last : null;
}

export function undo(form) {
  if (grading.takeBack()) return;
  const held = queue.held();
  if (held && !form.dataset.token) return bringBack(held);
  if (!form.dataset.token && aside) return sayAside();
  const last = form.dataset.token ? null : lastOnItsWay();
  if (cards.isAgain()) return say("Those before it can be opened once this one is saved.");
  if (last) {
    cards.reopen(last.token);
    return say(`You chose ${last.name}, which is on its way. Choose again, or keep it.`);
  }
  const token = form.dataset.token ?? before();
  byId("recent").open = false;
  grading.commit(form, { deed: "undo", name: "Opening it again", fields: { token } });
}

/** Nobody has heard of it yet: as if it had not been pressed. */
function bringBack(held) {
  const section = cards.section(held.token);
  queue.drop(held);
  delete section.dataset.waiting;
  cards.show(section);
  bar.renewUndo();
  say("Taken back: here it is again.");
}

/** A skip and a "later" that were sent cannot be undone: whoever presses for it is told, before a graded card comes. */
function sayAside() {
  say(aside);
  aside = "";
}

/** After each answer: what the next undo opens. */
export function remember({ entry, answer }) {
  if (!entry.quiet) aside = ASIDE[entry.deed] ?? "";
  const { outcome, current } = answer.dataset;
  if (entry.deed === "undo") reopened.set(current, entry.token);
  if (entry.deed === "grade" && outcome !== "refused") putLast(entry.token);
  index = entry.deed === "undo" ? Math.max(0, past.indexOf(entry.token)) : null; // before the first, the server knows
}

/** A card that is graded anew is the last one, and stands there once. */
function putLast(token) {
  const earlier = past.findIndex((each) => each === token || each === reopened.get(token));
  if (earlier >= 0) past.splice(earlier, 1);
  past.push(token);
}

/** The list of recent judgments, each time it is opened. */
async function list() {
  const { open, dataset } = byId("recent");
  if (!open) return;
  const answer = await request(dataset.list).catch(() => null);
  const newer = answer?.ok && parse(await answer.text()).getElementById("recent-list");
  if (newer) byId("recent-list").replaceWith(document.importNode(newer, true));
  else byId("recent-list").textContent = "The list cannot be had now: no connection.";
  byId("recent-list").querySelector("button")?.focus();
}

export function start() {
  byId("recent").addEventListener("toggle", list);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-stay]") || !cards.settle({ turn: true })) return;
    event.preventDefault();
    grading.lookAhead();
  });
}
