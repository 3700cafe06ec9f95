"use strict";
/* Beside a card stands the version of the guideline that its judgment will carry. Where that is another than the page came
   with, because its person has read a newer one elsewhere, the panel comes anew, once nothing is on its way any more. */
(() => {
  const panel = document.getElementById("guideline");
  let isAsked = false;

  async function compare() {
    const wanted = document.getElementById("card").dataset.guideline;
    if (!wanted || wanted === panel.dataset.guideline || isAsked || JudgeQueue.first()) return;
    isAsked = true;
    const answer = await JudgeSend.request(location.pathname).catch(() => null);
    if (answer?.status === 200) renew(await answer.text());
    isAsked = false;
  }

  function renew(page) {
    const newer = new DOMParser().parseFromString(page, "text/html").getElementById("guideline");
    if (!newer) return;
    panel.dataset.guideline = newer.dataset.guideline;
    panel.querySelector(".guideline-body").replaceWith(newer.querySelector(".guideline-body"));
  }

  document.addEventListener("judge:card", compare);
  document.addEventListener("judge:progress", () => setTimeout(compare));
})();
