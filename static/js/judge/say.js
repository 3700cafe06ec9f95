/* What the page says. The status line: what became of the last deed. `#trouble`: what waits, and why. Both are read out. */

import { byId } from "../browser.js";

const LINES = 3; // so many are kept for ears, so that a quick second line does not swallow the first

/** Read `text` out; nothing is shown. */
export function announce(text) {
  if (!text) return;
  const line = document.createElement("p");
  line.textContent = text;
  const region = byId("announce");
  region.append(line);
  while (region.children.length > LINES) region.firstChild.remove();
}

/** Show `text` where the last deed is told of, without reading it out. */
export function show(text, tone = "") {
  const status = document.querySelector("#card .status") ?? byId("status");
  if (!status) return;
  const sign = tone === "ok" ? "✓ " : "";
  status.textContent = sign + text;
  status.dataset.tone = tone;
}

export function say(text, tone = "") {
  show(text, tone);
  announce(text);
}

/** The line of what waits: its text, and which of `retry`, `signIn`, `discard` the person can press. No text: none. */
export function showTrouble(text, { retry, discard, signIn, news = text } = {}) {
  const line = byId("trouble-text");
  const isNews = line.dataset.said !== news;
  line.textContent = text;
  line.dataset.said = news;
  byId("retry").hidden = !retry;
  byId("discard").hidden = !discard;
  byId("sign-in").hidden = !signIn;
  if (signIn) byId("sign-in").href = signIn;
  byId("trouble").hidden = !text;
  if (!text || !isNews) return;
  show(""); // what was being saved is not
  announce(text);
}
