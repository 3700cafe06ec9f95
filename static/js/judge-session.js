"use strict";
/* A stretch of work: leases renewed while the page is used, handed back when it goes; a word in time for a rest. */
(() => {
  const BEAT_MS = 60_000;
  const byId = (id) => document.getElementById(id);
  const main = byId("main");
  const REST = "judge-rest";
  let started = Infinity;

  async function beat() {
    const token = JudgeCards.shown();
    if (!token || !JudgeTime.usedWithin(BEAT_MS)) return;
    const answer = await JudgeSend.request(main.dataset.heartbeat, { token }).catch(() => null);
    if (answer?.status === 401) JudgeSend.signedOut(answer.headers.get("X-Sign-In"));
    byId("gone").hidden = answer?.status !== 410 || token !== JudgeCards.shown();
  }

  /** The card ahead is somebody else's again. (A request of its own: the page is going.) */
  function release() {
    for (const token of JudgeCards.ahead()) {
      navigator.sendBeacon(main.dataset.release, new URLSearchParams({ token, csrfmiddlewaretoken: JudgeSend.csrf() }));
    }
  }

  /** A quiet line when a rest is due, once a session. */
  function nudge() {
    const { nudge: after, limit } = main.dataset;
    const progress = byId("progress");
    const minutes = (Date.now() - started) / 60_000;
    if (!Number(after) || !progress || minutes < Number(after) || isRested()) return;
    const end = Number(limit) ? ` The break comes at ${limit}.` : "";
    byId("nudge-text").textContent = `You have been judging for ${Math.floor(minutes)} minutes. Look up, stretch, rest your eyes.${end}`;
    if (byId("nudge").hidden) JudgeSay.announce(byId("nudge-text").textContent);
    byId("nudge").hidden = false;
  }

  /** When the session began, by this page's clock. */
  function reckon() {
    const progress = byId("progress");
    started = progress ? Date.now() - Number(progress.dataset.minutes) * 60_000 : Infinity;
    nudge();
  }

  /** Whether the line was closed since the session began. */
  function isRested() {
    try {
      return Number(sessionStorage.getItem(REST)) > started;
    } catch {
      return false;
    }
  }

  byId("nudge-close").addEventListener("click", () => {
    byId("nudge").hidden = true;
    try {
      sessionStorage.setItem(REST, String(Date.now()));
    } catch { /* it comes again, then */ }
    JudgePanels.focusDocument();
  });

  document.addEventListener("judge:progress", reckon);
  window.addEventListener("pagehide", release);
  setInterval(beat, BEAT_MS);
  setInterval(nudge, BEAT_MS / 4);
  reckon();
})();
