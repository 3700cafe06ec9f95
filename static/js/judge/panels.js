/* What opens and folds. The choices stay for the tab, across cards. */

import { byId, tryStorage } from "../browser.js";
import { announce } from "./say.js";

const POPS = ["skip", "comment", "words", "recent", "guideline"];
const memory = {
  get: (name) => tryStorage(() => sessionStorage.getItem("panel:" + name)),
  set: (name, value) => tryStorage(() => sessionStorage.setItem("panel:" + name, value)),
};
let topicNumber = null;

export function focusDocument() {
  const target = byId("document") ?? document.querySelector("#card [data-focus]");
  target?.focus({ preventScroll: true });
}

export function toggle(id) {
  const details = byId(id);
  if (!details || details.closest("[hidden]")) return;
  closeOthers(details);
  if (details.closest("#more-tools")) more(!details.open);
  details.open = !details.open;
  if (details.open) details.querySelector("input:not([type=hidden]), textarea, aside")?.focus();
  else focusDocument();
}

/** Only one stands open at a time, so that none lies under another; the guideline may stay beside them. */
function closeOthers(but) {
  for (const pop of document.querySelectorAll("details.pop[open]")) if (pop !== but) pop.open = false;
}

export function fold() {
  const topic = byId("topic");
  if (topic) topic.open = !topic.open;
  memory.set("fold", topic?.open ? "open" : "folded");
}

/** What each grade means, written on it. */
export function meanings(on = !document.body.classList.contains("meanings")) {
  document.body.classList.toggle("meanings", on);
  byId("meanings").setAttribute("aria-pressed", String(on));
  memory.set("meanings", on ? "on" : "off");
}

/** On a narrow page the tools that are needed less. */
function more(on = byId("more")?.getAttribute("aria-expanded") !== "true") {
  if (!byId("more")) return;
  byId("more").setAttribute("aria-expanded", String(on));
  byId("more-tools").classList.toggle("open", on);
}

export const help = () => byId("keys").showModal();

/** A new card is on the screen. A new topic always opens, and is said. */
export function show(card) {
  const isNew = topicNumber !== null && "topic" in card.dataset && topicNumber !== card.dataset.topic;
  if (isNew) memory.set("fold", "open");
  topicNumber = card.dataset.topic ?? topicNumber;
  const topic = byId("topic");
  if (topic) topic.open = memory.get("fold") !== "folded";
  byId("topic-new")?.toggleAttribute("hidden", !isNew);
  if (isNew) announce(`New topic ${topicNumber}: ${card.querySelector("h1")?.textContent}`);
  closeOthers(null);
  more(false);
  markComment();
  window.scrollTo(0, 0); // a low window scrolls as a whole
  byId("document")?.scrollTo(0, 0);
  focusDocument();
}

function markComment() {
  byId("comment")?.classList.toggle("filled", Boolean(byId("comment-text").value));
}

/** Close the topmost open panel; false when none was open. */
export function closeOne() {
  const open = POPS.map(byId).find((each) => each?.open);
  const isMore = byId("more")?.getAttribute("aria-expanded") === "true";
  if (open) open.open = false;
  else if (isMore) more(false);
  else return false;
  focusDocument();
  return true;
}

/** A digit inside the open list of reasons chooses one; false when the list is not open. */
export function choose(digit) {
  if (!byId("skip")?.open) return false;
  const reason = byId("skip").querySelectorAll("input[type=radio]")[digit - 1];
  if (reason) reason.checked = true;
  reason?.focus();
  return true;
}

export function start() {
  document.addEventListener("click", ({ target }) => {
    if (target.closest("#keys-open")) help();
    if (target.closest("#meanings")) meanings();
    if (target.closest("#more")) more();
    if (target.closest(".pop-close")) closeOne();
    for (const pop of document.querySelectorAll("details.pop[open]")) if (!pop.contains(target)) pop.open = false;
  });
  document.addEventListener("input", ({ target }) => { if (target.id === "comment-text") markComment(); });
  byId("keys").addEventListener("close", focusDocument);
  for (const button of document.querySelectorAll(".script, .pop-close, #keys-open")) button.hidden = false;
  if (memory.get("meanings") === "on") meanings(true);
}
