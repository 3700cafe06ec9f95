/* What of the document is shown: its excerpt or all of it, with the topic's words and the reader's own marked or not.
   The choices are the person's and go on with them; the page keeps them from card to card. */

import { byId, parse } from "../browser.js";
import { focusDocument } from "./panels.js";
import { rangeOf, runs } from "./positions.js";
import { announce, say } from "./say.js";
import * as send from "./send.js";

const frame = () => document.querySelector("#card .reading");
const url = (name) => new URL(name, new URL(byId("main").dataset.desk, location.href)).href;
const choices = { view: byId("main").dataset.reading || "excerpt", marks: byId("main").dataset.marks !== "off" };
const words = new Map(); // topic → the words as they were sent last from this page
let serial = 0; // only the last answer counts
let opened = ""; // token of the card whose whole document was brought in for its marks
let onChange = null;

const textIn = (html) => parse(html).getElementById("text");
const isAll = ({ dataset: { first, last, length } }) => first === "0" && last === length;
const isShort = () => "short" in frame().dataset;
const view = () => (opened && opened === byId("card").dataset.token ? "whole" : choices.view);

/** Whether there is more of the document than is shown. */
export const hasMore = () => frame().dataset.view === "excerpt";

/** Another card, or the same one with another choice. */
function apply() {
  document.body.classList.toggle("no-marks", !choices.marks);
  byId("marks")?.setAttribute("aria-pressed", String(choices.marks));
  byId("whole")?.setAttribute("aria-pressed", String(view() === "whole"));
  if (!frame()) return;
  reachWide();
  if (isShort()) return;
  setView(byId("text"));
  if (view() === "whole" && !isAll(byId("text"))) return fetchText("whole");
}

function setView(text) {
  frame().dataset.view = isAll(text) ? view() : "excerpt";
}

/** What is wider than the page scrolls by the keyboard, too. */
function reachWide() {
  for (const part of byId("text").querySelectorAll("table, pre")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
  }
}

/** The text anew, with as much of it as is wanted. */
async function fetchText(view) {
  const { token } = byId("card").dataset;
  const own = (serial += 1);
  busy(true);
  const answer = await send.request(`${url("document")}?${new URLSearchParams({ token, view })}`).catch(() => null);
  if (own !== serial || byId("card").dataset.token !== token) return;
  busy(false);
  if (answer?.status === 200) put(textIn(await answer.text()));
  else if (answer?.status === 401) send.signedOut(answer);
  else say("The text cannot be had now: no connection.", "bad");
}

function busy(isBusy) {
  frame()?.setAttribute("aria-busy", String(isBusy));
}

/** Put text from the server in place of what is there, and stay where the person reads. */
function put(text) {
  stayWhile(() => {
    byId("text").replaceWith(text);
    if (!isShort()) setView(text);
    reachWide();
  });
  onChange();
}

/** Do something to the text and scroll so that what was at the top of the view stays there. */
function stayWhile(change) {
  const article = byId("document");
  const top = () => Math.max(article.getBoundingClientRect().top, 0);
  const first = firstInSight(top());
  const before = rangeOf(first, first + 1).getBoundingClientRect().top;
  const isAtBeginning = article.scrollTop === 0 && view() === "excerpt";
  change();
  if (isAtBeginning) return article.scrollTo(0, 0);
  const spot = rangeOf(first, first + 1);
  spot.startContainer.parentElement?.scrollIntoView({ block: "start" });
  for (let n = 0; n < 3; n += 1) article.scrollBy(0, spot.getBoundingClientRect().top - Math.max(before, top()));
}

/** The first character in sight. */
function firstInSight(top) {
  const run = runs().find(({ element }) => element.getBoundingClientRect().bottom > top + 4);
  return run ? run.start : Number(byId("text").dataset.start);
}

async function remember(fields) {
  const answer = await send.request(url("choices"), fields).catch(() => null);
  if (answer?.status === 401) send.signedOut(answer);
}

function choose(wanted) {
  if (!frame() || isShort()) return say("This document is short: all of it is shown.");
  choices.view = wanted;
  opened = "";
  if (isAll(byId("text"))) stayWhile(apply);
  else apply();
  remember({ reading: wanted });
  announce(wanted === "whole" ? "The whole document." : "The excerpt.");
  focusDocument();
}

export const toggleWhole = () => choose(view() === "whole" ? "excerpt" : "whole");

/** All of this card's document; the choice for others stays. True once it is here. */
export async function open() {
  opened = byId("card").dataset.token;
  if (isAll(byId("text"))) stayWhile(apply);
  else await apply();
  return !hasMore();
}

/** Whoever asks for a mark wants to see it. */
export const showMarks = () => choices.marks || toggleMarks();

export function toggleMarks() {
  choices.marks = !choices.marks;
  apply();
  remember({ marks: choices.marks ? "on" : "off" });
  announce(choices.marks ? "Words marked." : "Words not marked.");
}

async function sendWords(form) {
  const fields = { token: form.elements.token.value, words: form.elements.words.value };
  const answer = await send.request(form.action, fields).catch(() => null);
  if (answer?.status === 401) return send.signedOut(answer);
  if (answer?.status !== 200) {
    return say(answer?.status === 400 ? "At most 30 words, please." : "The words were not saved: no connection.", "bad");
  }
  words.set(byId("card").dataset.topic, fields.words);
  form.elements.words.defaultValue = fields.words;
  count(fields.words);
  const text = textIn(await answer.text());
  if (view() === "whole" && !isAll(text)) await fetchText("whole");
  else put(text);
  byId("words").open = false;
  announce(`Marked: ${byId("text").querySelectorAll("mark.own").length} places.`);
  focusDocument();
}

function count(text) {
  const n = new Set(text.split(/[\s,;、，；]+/).filter(Boolean)).size;
  byId("words-n").textContent = n ? ` (${n})` : "";
}

/** A card that was fetched before the person added words for its topic. */
function catchUp() {
  const own = words.get(byId("card").dataset.topic);
  const field = byId("words-own");
  if (own === undefined || !field || field.defaultValue === own) return;
  field.value = field.defaultValue = own;
  count(own);
  fetchText(view());
}

export function show() {
  apply();
  catchUp();
}

/** `callback()` is called whenever other text stands in the card. */
export function start(callback) {
  onChange = callback;
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (form.id !== "words-form" && form.id !== "reading-choice") return;
    event.preventDefault();
    if (form.id === "words-form") sendWords(form);
    else choose(submitter.value);
  });
}
