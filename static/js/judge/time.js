/* Time spent on each card. Active = the page is visible and was used in the last 30 seconds; wall = since it was shown. */

const IDLE_MS = 30_000;
const MOST_MS = 10 ** 9; // what the server takes; a page left open for days says so much
const clocks = new Map(); // by the card's token: a card that was put aside goes on where it was
let clock = newClock(0, 0);
let settledAt = performance.now(); // up to here the clock's active time is counted
let usedAt = settledAt;

function newClock(floor, waited) {
  return { active: 0, shownAt: performance.now(), floor, waited };
}

function settle(now) {
  clock.active += Math.max(0, Math.min(now, usedAt + IDLE_MS) - settledAt);
  settledAt = now;
}

function use() {
  const now = performance.now();
  if (!document.hidden) settle(now);
  usedAt = now;
}

function hideOrShow() {
  const now = performance.now();
  if (document.hidden) settle(now);
  else settledAt = usedAt = now;
}

export function start() {
  for (const name of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"]) {
    document.addEventListener(name, use, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", hideOrShow);
}

/** A card is on the screen. `floor`: the minimum time left, `waited`: how long it was shown before (ms both). */
export function show(token, floor, waited) {
  if (!document.hidden) settle(performance.now());
  clock = clocks.get(token) ?? newClock(floor, waited);
  if (token) clocks.set(token, clock);
  settledAt = usedAt = performance.now();
}

export function activeMs() {
  if (!document.hidden) settle(performance.now());
  return Math.min(MOST_MS, Math.round(clock.active));
}

export const forget = (token) => clocks.delete(token);
export const wallMs = () => Math.min(MOST_MS, Math.round(performance.now() - clock.shownAt + clock.waited));
export const floorMs = () => clock.floor;
export const leftMs = () => Math.max(0, clock.shownAt + clock.floor - performance.now());
export const usedWithin = (ms) => !document.hidden && performance.now() - usedAt < ms;
