"use strict";
/* What of the document is shown: its excerpt or all of it, with the topic's words and the reader's own marked or not.
   The choices are the person's and go on with them; the page keeps them from card to card. */
(() => {
  const byId = (id) => document.getElementById(id);
  const reading = () => document.querySelector("#card .reading");
  const address = (name) => new URL(name, location.href.split("?")[0]).href;
  const chosen = { view: byId("main").dataset.reading || "excerpt", marks: byId("main").dataset.marks !== "off" };
  const words = new Map(); // topic → the words as they were sent last from this page
  let asked = 0; // only the last answer counts

  /** Another card, or the same one with another choice. */
  function apply() {
    document.body.classList.toggle("no-marks", !chosen.marks);
    byId("marks")?.setAttribute("aria-pressed", String(chosen.marks));
    byId("whole")?.setAttribute("aria-pressed", String(chosen.view === "whole"));
    const area = reading();
    if (!area) return;
    reachWide();
    if ("short" in area.dataset) return;
    area.dataset.view = isAll(byId("text")) ? chosen.view : "excerpt";
    if (chosen.view === "whole" && !isAll(byId("text"))) fetchText("whole");
  }

  /** What is wider than the page scrolls by the keyboard, too. */
  function reachWide() {
    for (const part of byId("text").querySelectorAll("table, pre")) {
      if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    }
  }

  /** The text anew, with as much of it as is wanted. */
  async function fetchText(view) {
    const token = byId("card").dataset.token;
    const serial = (asked += 1);
    busy(true);
    const answer = await JudgeSend.request(`${address("document")}?${new URLSearchParams({ token, view })}`).catch(() => null);
    if (serial !== asked || byId("card").dataset.token !== token) return;
    busy(false);
    if (answer?.status === 200) put(textIn(await answer.text()));
    else if (answer?.status === 401) JudgeSend.signedOut(answer.headers.get("X-Sign-In"));
    else JudgeSay.say("The text cannot be had now: no connection.", "bad");
  }

  function busy(isBusy) {
    reading()?.setAttribute("aria-busy", String(isBusy));
  }

  const textIn = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("text");
  const isAll = ({ dataset: { first, last, length } }) => first === "0" && last === length;

  /** Put text from the server in place of what is there, and stay where the person reads. */
  function put(text) {
    staying(() => {
      byId("text").replaceWith(text);
      if (!("short" in reading().dataset)) reading().dataset.view = isAll(text) ? chosen.view : "excerpt";
      reachWide();
    });
    document.dispatchEvent(new CustomEvent("judge:text"));
  }

  /** Do something to the text and scroll so that what was at the top of the view stays there. */
  function staying(change) {
    const frame = byId("document");
    const top = () => Math.max(frame.getBoundingClientRect().top, 0);
    const place = placeAtTop(top());
    const before = JudgePlaces.rangeOf(place, place + 1).getBoundingClientRect().top;
    const isAtBeginning = frame.scrollTop === 0 && chosen.view === "excerpt";
    change();
    if (isAtBeginning) return frame.scrollTo(0, 0);
    const spot = JudgePlaces.rangeOf(place, place + 1);
    spot.startContainer.parentElement?.scrollIntoView({ block: "start" });
    for (let again = 0; again < 3; again += 1) frame.scrollBy(0, spot.getBoundingClientRect().top - Math.max(before, top()));
  }

  /** The first character in sight. */
  function placeAtTop(top) {
    const run = JudgePlaces.runs().find(({ element }) => element.getBoundingClientRect().bottom > top + 4);
    return run ? run.start : Number(byId("text").dataset.start);
  }

  async function remember(fields) {
    const answer = await JudgeSend.request(address("choices"), fields).catch(() => null);
    if (answer?.status === 401) JudgeSend.signedOut(answer.headers.get("X-Sign-In"));
  }

  function turn(view) {
    if (!reading() || "short" in reading().dataset) return JudgeSay.say("This document is short: all of it is shown.");
    chosen.view = view;
    if (isAll(byId("text"))) staying(apply);
    else apply();
    remember({ reading: view });
    JudgeSay.announce(view === "whole" ? "The whole document." : "The excerpt.");
    JudgePanels.focusDocument();
  }

  function turnMarks() {
    chosen.marks = !chosen.marks;
    apply();
    remember({ marks: chosen.marks ? "on" : "off" });
    JudgeSay.announce(chosen.marks ? "Words marked." : "Words not marked.");
  }

  async function sendWords(form) {
    const fields = { token: form.elements.token.value, words: form.elements.words.value };
    const answer = await JudgeSend.request(form.action, fields).catch(() => null);
    if (answer?.status === 401) return JudgeSend.signedOut(answer.headers.get("X-Sign-In"));
    if (answer?.status !== 200) {
      return JudgeSay.say(answer?.status === 400 ? "At most 30 words, please." : "The words were not saved: no connection.", "bad");
    }
    words.set(byId("card").dataset.topic, fields.words);
    form.elements.words.defaultValue = fields.words;
    count(fields.words);
    const part = textIn(await answer.text());
    if (chosen.view === "whole" && !isAll(part)) await fetchText("whole");
    else put(part);
    byId("words").open = false;
    JudgeSay.announce(`Marked: ${byId("text").querySelectorAll("mark.own").length} places.`);
    JudgePanels.focusDocument();
  }

  function count(given) {
    const n = new Set(given.split(/[\s,;、，；]+/).filter(Boolean)).size;
    byId("words-n").textContent = n ? ` (${n})` : "";
  }

  /** A card that was fetched before the person added words for its topic. */
  function catchUp() {
    const known = words.get(byId("card").dataset.topic);
    const field = byId("words-own");
    if (known === undefined || !field || field.defaultValue === known) return;
    field.value = field.defaultValue = known;
    count(known);
    fetchText(chosen.view);
  }

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (form.id !== "words-form" && form.id !== "reading-choice") return;
    event.preventDefault();
    if (form.id === "words-form") sendWords(form);
    else turn(submitter.value);
  });
  document.addEventListener("judge:whole", () => turn(chosen.view === "whole" ? "excerpt" : "whole"));
  document.addEventListener("judge:marks", turnMarks);
  document.addEventListener("judge:card", () => {
    apply();
    catchUp();
  });
  apply();
})();
