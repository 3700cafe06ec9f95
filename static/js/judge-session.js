"use strict";
/* A stretch of work: leases renewed while the page is used, handed back when it goes; a word in time for a rest. */
(() => {
  const BEAT_MS = 60_000;
  const byId = (id) => document.getElementById(id);
  const main = byId("main");
  const REST = "judge-rest";
  let started = Infinity; // the session, by this page's clock
  let beaten = Date.now();

  async function beat() {
    const token = JudgeCards.shown();
    if (!token || !JudgeTime.usedWithin(BEAT_MS)) return;
    beaten = Date.now();
    const answer = await JudgeSend.request(main.dataset.heartbeat, { token }).catch(() => null);
    await answer?.text();
    if (answer?.status === 401) JudgeSend.signedOut(answer.headers.get("X-Sign-In"));
    byId("gone").hidden = answer?.status !== 410 || token !== JudgeCards.shown();
  }

  /** The card ahead is somebody else's again, unless another page of ours has it. (Sent by itself: the page is going.) */
  function release() {
    for (const token of JudgeCards.ahead()) {
      const fields = { token, page: JudgeSend.page, csrfmiddlewaretoken: JudgeSend.csrf() };
      navigator.sendBeacon(main.dataset.release, new URLSearchParams(fields));
    }
  }

  /** A quiet line when a rest is due, once a session. */
  function nudge() {
    const after = Number(main.dataset.nudge);
    const minutes = Math.floor((Date.now() - started) / 60_000);
    const isDue = after > 0 && minutes >= after && !isRested();
    byId("nudge-minutes").textContent = minutes;
    if (isDue && byId("nudge").hidden) JudgeSay.announce(byId("nudge-text").textContent);
    byId("nudge").hidden = !isDue;
  }

  /** A break says when it ends by the person's own clock, and that it has ended. */
  function rest() {
    const end = byId("resumes");
    if (!end) return;
    const left = Math.ceil((new Date(end.dataset.at) - Date.now()) / 60_000);
    const time = new Date(end.dataset.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const text = left > 0 ? `${time}, in ${left} minute${left === 1 ? "" : "s"}` : "any time now";
    if (left <= 0 && end.textContent !== text) JudgeSay.announce("The break is over.");
    end.textContent = text;
  }

  function reckon() {
    const progress = byId("progress");
    started = Date.now() - Number(progress.dataset.minutes) * 60_000;
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

  /** Back after a while: is the card still here? */
  function comeBack() {
    if (!document.hidden && Date.now() - beaten > 2 * BEAT_MS) beat();
  }

  byId("nudge-close").hidden = false;
  document.addEventListener("judge:progress", reckon);
  document.addEventListener("judge:card", () => {
    byId("gone").hidden = true;
    rest();
  });
  document.addEventListener("visibilitychange", comeBack);
  window.addEventListener("pagehide", release);
  setInterval(beat, BEAT_MS);
  setInterval(() => [nudge(), rest()], BEAT_MS / 4);
  reckon();
  rest();
})();
