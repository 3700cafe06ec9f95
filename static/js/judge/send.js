/* Sends the queue, one deed at a time, and believes nothing but the server's own answer. What did not arrive is sent
   again with the same token: at once when the network is back, else after 2, 4, 8, 15, 30 seconds. */

import { byId, parse } from "../browser.js";
import * as queue from "./queue.js";

const DELAYS_S = [2, 4, 8, 15, 30];
const LIMIT_MS = 20_000;
const isTroubled = (status) => status >= 500 || status === 408 || status === 429;
const main = byId("main");
let isBusy = false;
let failures = 0;
let turn = 0; // of the delays
let timer = null;

const AHEAD = 5; // so many cards wait behind the one on the screen, where there are so many
/** How this page names itself: a card ahead goes back with its last page. */
export const PAGE = String(Math.random()).slice(2, 14);
export let csrf = main.querySelector("[name=csrfmiddlewaretoken]").value;
/** { reason, seconds } while the queue waits for its next try. */
export let pause = null;
/** { why, address } while nothing is sent until the person has done something about it. */
export let stop = null;

// What the page does about it; `cards` says which ones it has besides a token's, for the server to leave out.
const page = { cards: () => "", answered() {}, asked() {}, refused() {}, changed() {} };

/** `answered({ entry, answer, recovered })`, `asked({ entry, text })`: which of two grades stands; `refused(entry)`. */
export function start(deeds) {
  Object.assign(page, deeds);
  window.addEventListener("online", () => {
    turn = 0; // what fails from now on is another trouble
    drain();
  });
  window.addEventListener("focus", () => { if (stop) drain(); });
  window.addEventListener("pagehide", letGo);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return letGo();
    queue.adopt();
    if (queue.next()) drain();
  });
}

export function request(url, fields) {
  return fetch(url, {
    method: fields ? "POST" : "GET",
    body: fields && new URLSearchParams({ ...fields, csrfmiddlewaretoken: csrf }),
    headers: { "X-Judge": page.cards(fields?.token), "X-Judge-Ahead": AHEAD, "X-Judge-Page": PAGE },
    redirect: "manual",
    keepalive: Boolean(fields), // it arrives although the page goes
    signal: AbortSignal.timeout(LIMIT_MS),
  });
}

/** Send what was held, too. */
export function letGo() {
  queue.release();
  drain();
}

export async function drain() {
  clearTimeout(timer);
  if (isBusy) return;
  isBusy = true;
  stop = null;
  while (queue.next() && (await sendNext()));
  isBusy = false;
  page.changed();
}

/** Send the first of the queue; true when the next one may go. */
async function sendNext() {
  const entry = queue.next();
  entry.isGoing = true;
  try {
    const answer = await request(entry.url, entry.fields);
    return await judge(entry, answer, await answer.text());
  } catch (error) {
    return retry(entry, error.name === "TimeoutError" ? "the server does not answer" : "no connection");
  } finally {
    entry.isGoing = false;
  }
}

function judge(entry, answer, text) {
  if (answer.status === 200) return accept(entry, text);
  if (answer.status === 409) return done(entry, page.asked, { entry, text });
  if (answer.status === 401) return signedOut(answer);
  if (isTroubled(answer.status)) return retry(entry, `the server is in trouble (${answer.status})`);
  return entry.asked || answer.status === 400 ? refuse(entry, answer.status) : compare(entry, answer.status);
}

/** Saved only if the server says so, and of this very card. */
function accept(entry, text) {
  const answer = parse(text).querySelector(".answer");
  const isOurs = answer && (answer.dataset.outcome === "moved" || answer.dataset.token === entry.token);
  return isOurs ? done(entry, page.answered, { entry, answer }) : retry(entry, "the answer was not the server's");
}

function done(entry, deed, answer) {
  queue.drop(entry);
  const recovered = failures > 0;
  failures = turn = 0;
  report(deed, { ...answer, recovered });
  return true;
}

/** Let the page act on an answer; a fault of its own there is no trouble of the network. */
function report(deed, answer) {
  try {
    deed(answer);
  } catch (error) {
    reportError(error);
  }
}

function retry(entry, reason) {
  if (entry.quiet) {
    queue.drop(entry);
    return true;
  }
  failures += 1;
  const seconds = DELAYS_S[Math.min(turn++, DELAYS_S.length - 1)];
  timer = setTimeout(drain, seconds * 1000);
  [pause, stop] = [{ reason, seconds }, null];
  page.changed();
  return false;
}

function refuse(entry, status) {
  if (entry.quiet) queue.drop(entry);
  else entry.refused = status;
  report(page.refused, entry);
  return true;
}

function halt(why, address) {
  [pause, stop] = [null, { why, address }];
  page.changed();
  return false;
}

export const signedOut = (answer) => halt("out", answer.headers.get("X-Sign-In"));

/** The server would not have it. Is somebody else signed in here by now, or is the page's own key out of date? */
async function compare(entry, status) {
  const answer = await request(location.pathname);
  if (answer.status === 401) return signedOut(answer);
  if (isTroubled(answer.status)) return retry(entry, `the server is in trouble (${answer.status})`);
  if (answer.status !== 200) return halt("other");
  const newer = parse(await answer.text());
  if (newer.getElementById("main")?.dataset.person !== main.dataset.person) return halt("other");
  const key = newer.querySelector("#main [name=csrfmiddlewaretoken]").value;
  if (status !== 403) return refuse(entry, status);
  csrf = key;
  entry.asked = true; // once: a refusal with a fresh key is a refusal
  return true;
}
