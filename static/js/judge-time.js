"use strict";
/* Time spent on each card. Active = the page is visible and was used in the last 30 seconds; wall = since it was shown. */
const JudgeTime = (() => {
  const IDLE_MS = 30_000;
  const MOST_MS = 10 ** 9; // what the server takes; a page left open for days says so much
  const clocks = new Map(); // by the card's token: a card that was put aside goes on where it was
  let clock = newClock(0, 0);
  let counted = performance.now(); // up to here the clock's active time is settled
  let used = counted;

  function newClock(floor, waited) {
    return { active: 0, shown: performance.now(), floor, waited };
  }

  function settle(now) {
    clock.active += Math.max(0, Math.min(now, used + IDLE_MS) - counted);
    counted = now;
  }

  function use() {
    const now = performance.now();
    if (!document.hidden) settle(now);
    used = now;
  }

  function turn() {
    const now = performance.now();
    if (document.hidden) settle(now);
    else counted = used = now;
  }

  for (const name of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove"]) {
    document.addEventListener(name, use, { capture: true, passive: true });
  }
  document.addEventListener("scroll", use, { capture: true, passive: true });
  document.addEventListener("visibilitychange", turn);

  return {
    /** A card is on the screen. `floor`: the minimum time left, `waited`: how long it was shown before (ms both). */
    start(token, floor, waited) {
      if (!document.hidden) settle(performance.now());
      clock = clocks.get(token) ?? newClock(floor, waited);
      if (token) clocks.set(token, clock);
      counted = used = performance.now();
    },
    forget: (token) => clocks.delete(token),
    activeMs() {
      if (!document.hidden) settle(performance.now());
      return Math.min(MOST_MS, Math.round(clock.active));
    },
    wallMs: () => Math.min(MOST_MS, Math.round(performance.now() - clock.shown + clock.waited)),
    floorMs: () => clock.floor,
    leftMs: () => Math.max(0, clock.shown + clock.floor - performance.now()),
    usedWithin: (ms) => !document.hidden && performance.now() - used < ms,
  };
})();
