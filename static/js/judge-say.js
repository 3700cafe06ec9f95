"use strict";
/* What the page says. The status line: what became of the last deed. `#trouble`: what waits, and why. Both are read out. */
const JudgeSay = (() => {
  const LINES = 3; // so many are kept for ears, so that a quick second line does not swallow the first
  const byId = (id) => document.getElementById(id);

  /** Read `text` out; nothing is shown. */
  function announce(text) {
    if (!text) return;
    const line = document.createElement("p");
    line.textContent = text;
    const region = byId("announce");
    region.append(line);
    while (region.children.length > LINES) region.firstChild.remove();
  }

  /** Show `text` where the last deed is told of, without reading it out. */
  function show(text, tone = "") {
    const status = document.querySelector("#card .status") ?? byId("status");
    if (!status) return;
    const sign = tone === "ok" ? "✓ " : "";
    status.textContent = sign + text;
    status.dataset.tone = tone;
  }

  function say(text, tone = "") {
    show(text, tone);
    announce(text);
  }

  /** The line of what waits: its text, and which of `retry`, `sign-in`, `discard` the person can press. No text: none. */
  function trouble(text, offers = {}) {
    const line = byId("trouble");
    const isNews = byId("trouble-text").dataset.said !== (offers.said ?? text);
    byId("trouble-text").textContent = text;
    byId("trouble-text").dataset.said = offers.said ?? text;
    byId("retry").hidden = !offers.retry;
    byId("discard").hidden = !offers.discard;
    byId("sign-in").hidden = !offers.signIn;
    if (offers.signIn) byId("sign-in").href = offers.signIn;
    line.hidden = !text;
    if (!text || !isNews) return;
    show(""); // what was being saved is not
    announce(text);
  }

  return { announce, say, show, trouble };
})();
