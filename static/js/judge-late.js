"use strict";
/* On a page without a card: a judgment that waited in the browser is sent, and said. */
(() => {
  const line = document.getElementById("late");

  document.addEventListener("judge:answer", ({ detail: { entry, answer } }) => {
    const said = answer.querySelector(".said")?.textContent.trim() ?? "";
    line.hidden = false;
    line.textContent = entry.title ? `${said} for “${entry.title}”` : said;
    JudgeSay.announce(line.textContent);
  });

  document.addEventListener("judge:asked", ({ detail: { text } }) => {
    const section = new DOMParser().parseFromString(text, "text/html").getElementById("card");
    line.hidden = false;
    line.replaceChildren(document.importNode(section, true));
  });

  JudgeQueue.adopt();
  JudgeSend.drain();
})();
