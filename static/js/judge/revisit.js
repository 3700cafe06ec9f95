/* Back to the last deed, whatever it was, and to what was graded before it, or to one of the list of recent ones. */

import { byId, parse } from "../browser.js";
import * as cards from "./cards.js";
import * as grading from "./grading.js";
import * as queue from "./queue.js";
import { say, trouble } from "./say.js";
import { request } from "./send.js";

const past = []; // tokens of what was graded, skipped or put off here, in order
const DEEDS = new Set(["grade", "skip", "later"]);
let index = null; // which of them is open again, or was before it came back in a form of its own

/** What the next undo opens; "" leaves it to the server, which knows what was done before this page. */
const before = () => past.at(index === null ? -1 : index - past.length - 1) ?? "";

/** The last deed that is on its way, while its card is still here; of a card shown again, the one before it. */
function lastOnItsWay() {
  const lasting = queue.lasting();
  const again = cards.isAgain() ? lasting.findIndex((entry) => entry.token === cards.token()) : -1;
  const last = again < 0 ? lasting.at(-1) : lasting[again - 1];
  return last && cards.section(last.token) ? last : null;
}

export function undo(form) {
  if (grading.takeBack()) return;
  const last = form.dataset.token ? null : lastOnItsWay();
  if (last?.deed === "grade") {
    cards.reopen(last.token);
    return say(`You chose ${last.name}, which is on its way. Choose again, or keep it.`);
  }
  if (last && !last.isGoing) return takeBack(last);
  if (cards.isAgain()) return say("Those before it can be opened once this one is saved.");
  const token = form.dataset.token ?? last?.token ?? before();
  byId("recent").open = false;
  grading.commit(form, { deed: "undo", name: "Opening it again", fields: { token } });
}

/** A skip or a "later" that has not left the page never does. */
function takeBack(entry) {
  queue.drop(entry);
  cards.bringBack(entry.token);
  say(`Taken back: ${entry.name}.`);
  trouble();
}

/** After each answer: what the next undo opens. */
export function remember({ entry, answer }) {
  const isRefused = answer.dataset.outcome === "refused";
  const isNew = DEEDS.has(entry.deed) && !past.includes(entry.token) && !entry.fields.revision;
  if (isNew && !isRefused) past.push(entry.token);
  const opened = entry.deed === "undo" ? past.indexOf(entry.token) : -1;
  index = opened >= 0 ? opened : null;
  if (opened >= 0 && (isRefused || answer.dataset.undone)) past.splice(opened, 1); // done with under this token
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
