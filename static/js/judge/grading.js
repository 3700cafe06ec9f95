/* A deed on the card, whether a key, a click or a finger asks. A grade waits until the minimum time is reached; then it
   joins the queue, and the next card is there at once. */

import { byId } from "../browser.js";
import * as bar from "./bar.js";
import * as cards from "./cards.js";
import * as panels from "./panels.js";
import * as queue from "./queue.js";
import * as say from "./say.js";
import { drain, letGo } from "./send.js";
import * as time from "./time.js";

// Nobody has read a card so soon: a press then was meant for the one before, or is a second one.
const SLIP_MS = 500;
const SLIP_AGAIN_MS = 200; // the same of a card that its person has opened again
const HELD_MS = 120_000; // after that, others may wait for the card
// A deed that is held while another card is there to go on with, and what is said then.
const HELD = {
  skip: "Skipped. Undo brings it back.",
  later: "Put off to the end of its topic. Undo brings it back.",
};
const card = () => byId("card");
let pending = null; // of the grade that waits for the minimum time
let timer = null;
let holding = null;
let slipsEnd = -Infinity; // until then a press is not for the card that a deed has just brought
let clicks = 0;

/** Is the card taken: gone already, or going to be another one? */
function isTaken() {
  return (queue.has(card().dataset.token) && !cards.isAgain()) || Boolean(queue.undoing());
}

/** A press that is not for this card; where it may seem to be, the page says so. */
function isSlip() {
  const isEarly = performance.now() < slipsEnd;
  if (isEarly) say.tooSoon(true);
  return isEarly || clicks > 1;
}

export function grade(button) {
  if (isTaken() || isSlip()) return;
  if (time.leftMs() > 0) choose(button);
  else commit(button.form, { deed: "grade", grade: button.value, name: bar.nameOf(button) });
}

/** Another deed than a grade: a form of the bar was sent. */
export function submit(form) {
  const { deed, name } = form.dataset;
  if (isTaken() || isSlip()) return;
  if (deed === "keep" && cards.isAgain()) return keepOnItsWay();
  while (panels.closeOne());
  commit(form, { deed, name });
}

/** The grade that is on its way stands: on to the next card. */
function keepOnItsWay() {
  const entry = queue.of(cards.token());
  cards.leave();
  if (entry) say.show(`Saving: ${entry.name} …`);
}

function choose(button) {
  unchoose();
  say.tooSoon(false);
  pending = button;
  button.setAttribute("aria-pressed", "true");
  say.say(`Waiting: ${bar.nameOf(button)} (Esc takes it back).`);
}

function unchoose() {
  pending?.removeAttribute("aria-pressed");
  pending = null;
}

/** Take back the grade that waits for the minimum time, or stay here after all; false when there is neither. */
export function takeBack() {
  const undo = queue.undoing();
  if (!pending && !undo) return false;
  if (undo) queue.drop(undo);
  unchoose();
  bar.busy(false);
  say.say("Taken back. Choose a grade.");
  say.trouble();
  return true;
}

/** While the minimum time runs: the gauge; when it is over, the chosen grade goes. */
function watchFloor() {
  const left = time.leftMs();
  byId("floor").hidden = left <= 0;
  byId("floor-progress").max = time.floorMs() || 1;
  byId("floor-progress").value = time.floorMs() - left;
  byId("floor-left").textContent = `${Math.ceil(left / 1000)} s`;
  const isWriting = pending && document.querySelector("#bar .pop[open]"); // a comment or a reason: not under their hands
  clearTimeout(timer);
  if (left > 0 || isWriting) timer = setTimeout(watchFloor, Math.min(left || 200, 200));
  else if (pending) commit(pending.form, { deed: "grade", grade: pending.value, name: bar.nameOf(pending) });
}

/** Put a form's deed into the queue and go on. */
export function commit(form, { deed, name, grade: value, fields: more }) {
  const fields = { ...Object.fromEntries(new FormData(form)), ...more };
  delete fields.csrfmiddlewaretoken;
  const { token = "" } = fields;
  if (deed === "grade" && form.id === "grades") {
    Object.assign(fields, { grade: value, active_ms: String(time.activeMs()), wall_ms: String(time.wallMs()) });
  }
  unchoose();
  const isHeld = deed in HELD && cards.ahead().length > 0;
  const entry = { deed, name, token, fields, url: form.action, title: card().dataset.title ?? "", held: isHeld };
  if (!queue.replace(entry)) queue.add(entry);
  clearTimeout(holding);
  if (isHeld) holding = setTimeout(letGo, HELD_MS);
  bar.forgetDraft(token);
  goOn(entry);
  drain();
}

/** The next card comes in at once; where none waits, this one stays until the answer is there. */
function goOn({ deed, name, fields, held }) {
  const before = card();
  if (deed !== "undo") before.dataset.waiting = fields.grade ?? "";
  if (deed === "grade" || held) bar.renewUndo();
  if (held) say.say(HELD[deed]);
  else say.show(deed === "grade" ? `Saving: ${name} …` : `${name} …`);
  if (deed !== "undo") cards.leave();
  if (card() === before) bar.busy(true, fields.grade);
  else if (deed === "grade") bar.flash(fields.grade);
}

/** Another card, or what stands in place of one, has come to the screen, with all that follows it there. */
export function arrive({ dataset: { grade, waiting } }) {
  slipsEnd = performance.now() + (grade || waiting ? SLIP_AGAIN_MS : SLIP_MS);
}

export function show(section) {
  unchoose();
  say.tooSoon(false);
  const { token = "", floor = 0, waited = 0, grade } = section.dataset;
  time.show(token, Number(floor), Number(waited));
  bar.fill(section);
  panels.show(section);
  if (grade) say.say(`You graded this ${grade}. That stands until you save another grade.`);
  watchFloor();
}

/** The page's first card; one that has been graded in this browser gives way to the next, or waits for its answer. */
export function start() {
  document.addEventListener("click", (event) => { clicks = event.detail; }, true);
  show(card());
  const entry = queue.of(card().dataset.token);
  if (!entry || cards.settle()) return;
  card().dataset.waiting = entry.fields.grade ?? "";
  bar.busy(true, entry.fields.grade);
}

/** Ask for the cards that wait. At the beginning always: the page that was here before may just have handed it back. */
export function lookAhead() {
  if (cards.token()) queue.add({ deed: "start", quiet: true, token: "", url: byId("main").dataset.start, fields: {} });
  drain();
}
