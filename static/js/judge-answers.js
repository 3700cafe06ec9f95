"use strict";
/* What the server has answered: said in words, and its cards put in place. */
(() => {
  const byId = (id) => document.getElementById(id);
  let recovered = 0; // how many came through since the last failure

  function said({ entry, answer }) {
    const text = answer.querySelector(".said")?.textContent.replace("✓", "").trim() ?? "";
    return entry.adopted && entry.title ? `${text} for “${entry.title}”` : text;
  }

  function tell(detail) {
    const isSaved = ["saved", "replayed"].includes(detail.answer.dataset.outcome);
    if (detail.recovered || recovered) recovered += 1;
    const text = recovered > 1 ? `Saved: the ${recovered} that waited` : said(detail);
    const isLast = !JudgeQueue.lasting().length;
    if (isLast) recovered = 0;
    if (detail.answer.dataset.outcome === "refused") JudgeSay.say(said(detail), "bad");
    else if (isLast && text) JudgeSay.say(text, isSaved ? "ok" : "");
    else JudgeSay.announce(text);
  }

  /** Own and batch progress, and whether there is something to undo. */
  function renew(progress) {
    if (!progress) return;
    byId("progress").replaceWith(document.importNode(progress, true));
    JudgeBar.undoable(Boolean(progress.dataset.undo) || JudgeQueue.lasting().some((entry) => entry.deed === "grade"));
    document.dispatchEvent(new CustomEvent("judge:progress"));
  }

  document.addEventListener("judge:answer", (event) => {
    const { entry, answer } = event.detail;
    renew(answer.querySelector(".progress-parts"));
    JudgeCards.take(answer, { turn: entry.deed === "undo" });
    JudgeBar.free();
    if (!entry.quiet) tell(event.detail);
  });
})();
