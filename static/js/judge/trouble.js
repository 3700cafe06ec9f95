/* Says in plain words what has not been saved yet, why, and what happens next. */

import { byId } from "../browser.js";
import * as queue from "./queue.js";
import { say, showTrouble } from "./say.js";
import * as send from "./send.js";

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

export function tell() {
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

function discard() {
  const entry = queue.refused()[0];
  queue.drop(entry);
  tell();
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
