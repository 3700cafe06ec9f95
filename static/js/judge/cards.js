/* The cards this page has: the one on the screen, those that wait, and those whose grade is on its way. The server's
   last answer says their order; the first that waits for no answer is shown, and none is taken from under the eyes. */

import { byId } from "../browser.js";
import * as queue from "./queue.js";
import * as time from "./time.js";

const sections = new Map(); // by token
let order = [];
let current = null; // token of the card on the screen; null in place of a card
let again = null; // token of a card whose grade is on its way and which is shown once more
let onShow = null;

const isOpen = (token) => sections.has(token) && (!queue.has(token) || token === again);
const sectionIn = (template) => document.importNode(template.content, true).firstElementChild;

/** Take up the cards that came with the page; `onShow(section)` is called with each one that comes to the screen. */
export function start(callback) {
  onShow = callback;
  current = hold(byId("card"));
  order = [current, byId("next") && hold(sectionIn(byId("next")))].filter(Boolean);
}

function hold(section) {
  const token = section.dataset.token || null;
  if (token) sections.set(token, section);
  return token;
}

export function show(section) {
  byId("card").replaceWith(section);
  current = hold(section);
  if (current !== again) again = null;
  onShow(section);
}

/** Show the first open card, unless an open one is there; false when there is none. */
export function settle({ turn = false } = {}) {
  const open = order.filter(isOpen);
  if (!turn && (open.includes(current) || (current !== null && current === again))) return true;
  if (!open.length) return false;
  show(sections.get(open[0]));
  return true;
}

/** The cards in an answer of the server, and the order it says. */
export function take(answer, { turn }) {
  const { current: first, ahead: waiting } = answer.dataset;
  order = [first, ...waiting.split(",")].filter(Boolean);
  let notice = null; // what stands in place of a card
  for (const template of answer.querySelectorAll("template[data-card]")) {
    const section = sectionIn(template);
    if (!hold(section)) notice = section;
  }
  forget();
  if (settle({ turn })) return;
  if (notice && !order.length) show(notice);
  else if (order.length && !order.some((token) => sections.has(token))) location.reload();
}

function forget() {
  for (const token of sections.keys()) {
    if (order.includes(token) || token === current || queue.has(token)) continue;
    sections.delete(token);
    time.forget(token);
  }
}

/** A card whose grade is on its way comes back to the screen. */
export function reopen(token) {
  again = token;
  show(sections.get(token));
}

/** The card has been answered elsewhere: it is none of the next ones. */
export function strike(token) {
  order = order.filter((each) => each !== token);
  sections.delete(token);
}

/** On to the next card, if there is one. */
export function leave() {
  again = null;
  settle({ turn: true });
}

export const token = () => current;
export const isAgain = () => again !== null;
export const section = (token) => sections.get(token);
export const tokens = (besides = "") => [...sections.keys()].filter((token) => token !== besides);
/** Cards held ahead: handed back when the page goes. */
export const ahead = () => order.filter((token) => token !== current && isOpen(token));
