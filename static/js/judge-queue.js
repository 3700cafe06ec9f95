"use strict";
/* Deeds on their way, in order. A grade, a skip and a "later" also lie in the browser's storage until the server has
   answered, under the person they are of: closing the tab, an expired sign-in and a crash lose none, and nobody else
   sends them. Two tabs may send the same one: by its token it counts once. */
const JudgeQueue = (() => {
  const PREFIX = `judge:${document.getElementById("main").dataset.person}:`;
  const LASTING = new Set(["grade", "skip", "later"]);
  const waiting = [];
  let count = 0;

  function storage(action) {
    try {
      return action(localStorage);
    } catch {
      return null; // storage is full or switched off: the page's own memory has to do
    }
  }

  const inOrder = (a, b) => (a.id < b.id ? -1 : 1);

  /** Of an entry, only what it says lasts, not how it fared in this page. */
  function keep({ id, deed, name, token, fields, url, title }) {
    const text = JSON.stringify({ id, deed, name, token, fields, url, title });
    if (LASTING.has(deed)) storage((store) => store.setItem(PREFIX + id, text));
  }

  function drop(entry) {
    const place = waiting.indexOf(entry);
    if (place >= 0) waiting.splice(place, 1);
    storage((store) => store.removeItem(PREFIX + entry.id));
  }

  function add(entry) {
    for (const old of waiting.filter((each) => each.refused && each.token === entry.token)) drop(old);
    const serial = String(count++).padStart(4, "0");
    const whole = { ...entry, id: `${Date.now()}-${serial}-${Math.random().toString(36).slice(2, 8)}` };
    waiting.push(whole);
    keep(whole);
    return whole;
  }

  /** What a tab that is gone has left in the storage joins the queue. */
  function adopt() {
    const known = new Set(waiting.map((entry) => PREFIX + entry.id));
    const found = storage((store) =>
      Object.keys(store)
        .filter((key) => key.startsWith(PREFIX) && !known.has(key))
        .map((key) => JSON.parse(store.getItem(key))),
    );
    for (const entry of found ?? []) waiting.push({ ...entry, adopted: true });
    waiting.sort(inOrder);
  }

  /** Change what a waiting deed says, before it goes. */
  function amend(entry, fields) {
    Object.assign(entry, fields);
    keep(entry);
  }

  return {
    add,
    adopt,
    amend,
    drop,
    /** The next to send; what the server has refused stays behind. */
    first: () => waiting.find((entry) => !entry.refused) ?? null,
    refused: () => waiting.filter((entry) => entry.refused),
    lasting: () => waiting.filter((entry) => LASTING.has(entry.deed) && !entry.refused),
    of: (token) => waiting.find((entry) => entry.token === token && !entry.refused && entry.deed !== "undo") ?? null,
    has: (token) => waiting.some((entry) => entry.token === token && !entry.refused && entry.deed !== "undo"),
    opening: () => waiting.find((entry) => entry.deed === "undo") ?? null,
  };
})();
