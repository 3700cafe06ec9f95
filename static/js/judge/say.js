/* What the page says. The status line: what became of the last deed. `#trouble`: what has not been saved yet, why, and
   what happens next. Both are read out. */

import { byId } from "../browser.js";
import * as queue from "./queue.js";
import * as send from "./send.js";

const LINES = 3; // so many are kept for ears, so that a quick second line does not swallow the first

/** Read `text` out; nothing is shown. */
export function announce(text) {
  if (!text) return;
  const line = document.createElement("p");
  line.textContent = text;
  const region = byId("announce");
  region.append(line);
  while (region.children.length > LINES) region.firstChild.remove();
}

/** Show `text` where the last deed is told of, without reading it out. */
export function show(text, tone = "") {
  const status = document.querySelector("#card .status") ?? byId("status");
  if (!status) return;
  const sign = tone === "ok" ? "✓ " : "";
  status.textContent = sign + text;
  status.dataset.tone = tone;
}

export function say(text, tone = "") {
  show(text, tone);
  announce(text);
}

/** The line that says why a press did nothing. */
export function tooSoon(isShown) {
  const line = byId("too-soon");
  if (isShown && line.hidden) announce(line.textContent);
  line.hidden = !isShown;
}

function amount() {
  const entries = queue.lasting();
  const noun = entries.every((entry) => entry.deed === "grade") ? "judgment" : "card";
  return `${entries.length} ${noun}${entries.length === 1 ? " waits" : "s wait"} in this browser`;
}

function about(entry) {
  return `${entry.name}${entry.title ? ` for “${entry.title}”` : ""}`;
}

function signedOut() {
  const n = queue.lasting().length;
  return n ? `You are signed out. ${amount()}, to be saved once you have signed in again.` : "You are signed out.";
}

function somebodyElse() {
  return `Somebody else has signed in here. ${amount()}; nothing is sent until you sign in again yourself.`;
}

function unsaved(next, { reason, seconds }) {
  const what = queue.lasting().length ? `Not saved yet: ${reason}. ${amount()}` : `${next.name}: ${reason}`;
  return `${what}; trying again in ${seconds} s.`;
}

/** Say what waits, or that nothing does any more. */
export function trouble() {
  const { pause, stop } = send;
  const next = queue.next();
  const refused = queue.refused()[0];
  if (stop?.why === "out") return showTrouble(signedOut(), { signIn: stop.address });
  if (stop?.why === "other") return showTrouble(somebodyElse());
  if (next && pause) return showTrouble(unsaved(next, pause), { retry: true, news: pause.reason + amount() });
  if (refused) {
    const text = `Not saved: ${about(refused)}. The server refused it (${refused.refused}).`;
    return showTrouble(text, { retry: true, discard: true });
  }
  return showTrouble("");
}

/** The line of what waits: its text, and which of `retry`, `signIn`, `discard` the person can press. No text: none. */
function showTrouble(text, { retry, discard, signIn, news = text } = {}) {
  const line = byId("trouble-text");
  const isNews = line.dataset.said !== news;
  line.textContent = text;
  line.dataset.said = news;
  byId("retry").hidden = !retry;
  byId("discard").hidden = !discard;
  byId("sign-in").hidden = !signIn;
  if (signIn) byId("sign-in").href = signIn;
  byId("trouble").hidden = !text;
  if (!text || !isNews) return;
  show(""); // what was being saved is not
  announce(text);
}

function discard() {
  const entry = queue.refused()[0];
  queue.drop(entry);
  trouble();
  say(`Discarded: ${about(entry)}.`);
  byId("document")?.focus({ preventScroll: true });
}

function retry() {
  for (const entry of queue.refused()) Object.assign(entry, { refused: null, asked: false });
  send.drain();
}

export function start() {
  byId("retry").addEventListener("click", retry);
  byId("discard").addEventListener("click", discard);
}
