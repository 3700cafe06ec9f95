"use strict";
/* Says in plain words what has not been saved yet, why, and what happens next. */
const JudgeTrouble = (() => {
  const byId = (id) => document.getElementById(id);
  let waiting = null; // { reason, seconds } while the queue waits for its next try
  let stopped = null; // { why, address } while it waits for the person

  function amount() {
    const entries = JudgeQueue.lasting();
    const noun = entries.every((entry) => entry.deed === "grade") ? "judgment" : "card";
    return `${entries.length} ${noun}${entries.length === 1 ? " waits" : "s wait"} in this browser`;
  }

  function about(entry) {
    return `${entry.name}${entry.title ? ` for “${entry.title}”` : ""}`;
  }

  function out() {
    const n = JudgeQueue.lasting().length;
    return n ? `You are signed out. ${amount()}, to be saved once you have signed in again.` : "You are signed out.";
  }

  function other() {
    return `Somebody else has signed in here. ${amount()}; nothing is sent until you sign in again yourself.`;
  }

  function tell() {
    const first = JudgeQueue.first();
    const refused = JudgeQueue.refused()[0];
    if (stopped?.why === "out") return JudgeSay.trouble(out(), { signIn: stopped.address });
    if (stopped?.why === "other") return JudgeSay.trouble(other());
    if (first && waiting) return JudgeSay.trouble(inNeed(first), { retry: true, said: waiting.reason + amount() });
    if (refused) {
      const text = `Not saved: ${about(refused)}. The server refused it (${refused.refused}).`;
      return JudgeSay.trouble(text, { retry: true, discard: true });
    }
    return JudgeSay.trouble("");
  }

  function inNeed(first) {
    const what = JudgeQueue.lasting().length ? `Not saved yet: ${waiting.reason}. ${amount()}` : `${first.name}: ${waiting.reason}`;
    return `${what}; trying again in ${waiting.seconds} s.`;
  }

  function discard() {
    const entry = JudgeQueue.refused()[0];
    JudgeQueue.drop(entry);
    tell();
    JudgeSay.say(`Discarded: ${about(entry)}.`);
    byId("document")?.focus({ preventScroll: true });
  }

  function retry() {
    for (const entry of JudgeQueue.refused()) Object.assign(entry, { refused: null, asked: false });
    JudgeSend.drain();
  }

  byId("retry").addEventListener("click", retry);
  byId("discard").addEventListener("click", discard);

  return {
    tell() {
      if (!JudgeSend.isHalted()) stopped = null;
      tell();
    },
    wait(reason, seconds) {
      [waiting, stopped] = [{ reason, seconds }, null];
      tell();
    },
    halt(why, address) {
      [waiting, stopped] = [null, { why, address }];
      tell();
    },
  };
})();
