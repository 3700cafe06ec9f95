/* A stretch of work: leases renewed while the page is used, handed back when it goes; a word in time for a rest. */

import { byId, tryStorage } from "../browser.js";
import * as cards from "./cards.js";
import { focusDocument } from "./panels.js";
import { announce } from "./say.js";
import * as send from "./send.js";
import { usedWithin } from "./time.js";

const BEAT_MS = 60_000;
const REST = "judge-rest";
const { heartbeat, nudge: nudgeAfter, release: releaseUrl } = byId("main").dataset;
let startedAt = Infinity; // the session, by this page's clock
let beatenAt = Date.now();

async function beat() {
  const token = cards.token();
  if (!token || !usedWithin(BEAT_MS)) return;
  beatenAt = Date.now();
  const answer = await send.request(heartbeat, { token }).catch(() => null);
  await answer?.text();
  if (answer?.status === 401) send.signedOut(answer);
  byId("gone").hidden = answer?.status !== 410 || token !== cards.token();
}

/** The cards ahead are somebody else's again, unless another page of ours has them. (Sent by itself: the page goes.) */
function release() {
  const token = cards.ahead().join(",");
  const fields = { token, page: send.PAGE, csrfmiddlewaretoken: send.csrf };
  if (token) navigator.sendBeacon(releaseUrl, new URLSearchParams(fields));
}

/** A quiet line when a rest is due, once a session. */
function nudge() {
  const after = Number(nudgeAfter);
  const minutes = Math.floor((Date.now() - startedAt) / 60_000);
  const isDue = after > 0 && minutes >= after && !isRested();
  byId("nudge-minutes").textContent = minutes;
  if (isDue && byId("nudge").hidden) announce(byId("nudge-text").textContent);
  byId("nudge").hidden = !isDue;
}

/** Whether the line was closed since the session began. */
const isRested = () => Number(tryStorage(() => sessionStorage.getItem(REST))) > startedAt;

function closeNudge() {
  byId("nudge").hidden = true;
  tryStorage(() => sessionStorage.setItem(REST, String(Date.now())));
  focusDocument();
}

/** A break says when it ends, in the zone its person has chosen or else by their own clock, and that it has ended. */
function countBreak() {
  const end = byId("resumes");
  if (!end) return;
  const left = Math.ceil((new Date(end.dataset.at) - Date.now()) / 60_000);
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const time = end.dataset.time || new Date(end.dataset.at).toLocaleTimeString([], clock);
  const text = left > 0 ? `${time}, in ${left} minute${left === 1 ? "" : "s"}` : "any time now";
  if (left <= 0 && end.textContent !== text) announce("The break is over.");
  end.textContent = text;
}

/** How long the session still lasts; at its end, the break comes with the next grade. */
function countDown() {
  const { limit } = byId("until-break")?.dataset ?? {};
  const passed = Math.max(0, Date.now() - startedAt) / 60_000;
  if (limit) byId("break-minutes").textContent = Math.max(0, Math.ceil(Number(limit) - passed));
}

/** The server has said anew how long the session is. */
export function renew() {
  startedAt = Date.now() - Number(byId("progress").dataset.minutes) * 60_000;
  nudge();
  countDown();
}

export function show() {
  byId("gone").hidden = true;
  countBreak();
}

export function start() {
  byId("nudge-close").addEventListener("click", closeNudge);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - beatenAt > 2 * BEAT_MS) beat(); // back after a while: is the card still here?
  });
  window.addEventListener("pagehide", release);
  setInterval(beat, BEAT_MS);
  setInterval(() => [nudge(), countDown(), countBreak()], BEAT_MS / 4);
  renew();
}
