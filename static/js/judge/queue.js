/* Deeds on their way, in order. A grade, a skip and a "later" also lie in the browser's storage until the server has
   answered, under the person they are of: closing the tab, an expired sign-in and a crash lose none, and nobody else
   sends them. Two tabs may send the same one: by its token it counts once. A skip or a "later" that is held stays with
   the page, so that it can be taken back, until another deed joins the queue or it is released. */

import { byId, tryStorage } from "../browser.js";

const PREFIX = `judge:${byId("main").dataset.person}:`;
const LASTING = new Set(["grade", "skip", "later"]);
const waiting = [];
let count = 0;

const inOrder = (a, b) => (a.id < b.id ? -1 : 1);

/** Of an entry, only what it says lasts, not how it fared in this page. */
function store({ id, deed, name, token, fields, url, title }) {
  const text = JSON.stringify({ id, deed, name, token, fields, url, title });
  if (LASTING.has(deed)) tryStorage(() => localStorage.setItem(PREFIX + id, text));
}

export function drop(entry) {
  const index = waiting.indexOf(entry);
  if (index >= 0) waiting.splice(index, 1);
  tryStorage(() => localStorage.removeItem(PREFIX + entry.id));
}

export function add(entry) {
  release();
  for (const old of waiting.filter((each) => each.refused && each.token === entry.token)) drop(old);
  const serial = String(count++).padStart(4, "0");
  const whole = { ...entry, id: `${Date.now()}-${serial}-${Math.random().toString(36).slice(2, 8)}` };
  waiting.push(whole);
  if (!whole.held) store(whole);
}

/** What is held waits to be sent like any other. */
export function release() {
  for (const entry of waiting.filter((each) => each.held)) {
    entry.held = false;
    store(entry);
  }
}

/** What a tab that is gone has left in the storage joins the queue. */
export function adopt() {
  const keys = new Set(waiting.map((entry) => PREFIX + entry.id));
  const entries = tryStorage(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX) && !keys.has(key))
      .map((key) => JSON.parse(localStorage.getItem(key))),
  );
  for (const entry of entries ?? []) waiting.push({ ...entry, adopted: true });
  waiting.sort(inOrder);
}

/** Another grade for a card whose first one is on its way: that one says the new grade, or is followed by it. */
export function replace(entry) {
  const first = entry.deed === "grade" && of(entry.token);
  if (!first) return false;
  entry.fields.change = "yes";
  if (first.isGoing) return false;
  Object.assign(first, { name: entry.name, fields: entry.fields });
  store(first);
  return true;
}

/** The next to send; what the server has refused stays behind. */
export const next = () => waiting.find((entry) => !entry.refused && !entry.held) ?? null;
export const held = () => waiting.find((entry) => entry.held) ?? null;
export const refused = () => waiting.filter((entry) => entry.refused);
export const lasting = () => waiting.filter((entry) => LASTING.has(entry.deed) && !entry.refused);
export const undoing = () => waiting.find((entry) => entry.deed === "undo") ?? null;

/** What waits for an answer about a card. */
export function of(token) {
  return waiting.find((entry) => entry.token === token && !entry.refused && entry.deed !== "undo") ?? null;
}

export const has = (token) => of(token) !== null;
