"use strict";
/* Sends the queue, one deed at a time, and believes nothing but the server's own answer. What did not arrive is sent
   again with the same token: at once when the network is back, else after 2, 4, 8, 15, 30 seconds. */
const JudgeSend = (() => {
  const DELAYS_S = [2, 4, 8, 15, 30];
  const LIMIT_MS = 20_000;
  const TROUBLED = (status) => status >= 500 || status === 408 || status === 429;
  const main = document.getElementById("main");
  const page = String(Math.random()).slice(2, 14); // how this page names itself: a card ahead goes back with its last page
  let isBusy = false;
  let failures = 0;
  let timer = null;
  let halted = ""; // why nothing is sent until the person has done something about it
  let csrf = main.querySelector("[name=csrfmiddlewaretoken]").value;

  const told = (name, detail) => document.dispatchEvent(new CustomEvent(`judge:${name}`, { detail }));

  function request(url, fields) {
    return fetch(url, {
      method: fields ? "POST" : "GET",
      body: fields && new URLSearchParams({ ...fields, csrfmiddlewaretoken: csrf }),
      headers: { "X-Judge": JudgeSend.held(fields?.token), "X-Judge-Page": page },
      redirect: "manual",
      keepalive: Boolean(fields), // it arrives although the page goes
      signal: AbortSignal.timeout(LIMIT_MS),
    });
  }

  async function drain() {
    clearTimeout(timer);
    if (isBusy) return;
    isBusy = true;
    halted = "";
    while (JudgeQueue.first() && (await sendFirst()));
    isBusy = false;
    JudgeTrouble.tell();
  }

  /** Send the first of the queue; true when the next one may go. */
  async function sendFirst() {
    const entry = JudgeQueue.first();
    entry.isGoing = true;
    try {
      const answer = await request(entry.url, entry.fields);
      return await judge(entry, answer, await answer.text());
    } catch (lost) {
      return again(entry, lost.name === "TimeoutError" ? "the server does not answer" : "no connection");
    } finally {
      entry.isGoing = false;
    }
  }

  function judge(entry, answer, text) {
    if (answer.status === 200) return accept(entry, text);
    if (answer.status === 409) return done(entry, "asked", { entry, text });
    if (answer.status === 401) return halt("out", answer.headers.get("X-Sign-In"));
    if (TROUBLED(answer.status)) return again(entry, `the server is in trouble (${answer.status})`);
    return entry.asked || answer.status === 400 ? refuse(entry, answer.status) : compare(entry, answer.status);
  }

  /** Saved only if the server says so, and of this very card. */
  function accept(entry, text) {
    const answer = new DOMParser().parseFromString(text, "text/html").querySelector(".answer");
    const isOurs = answer && (answer.dataset.outcome === "moved" || answer.dataset.token === entry.token);
    return isOurs ? done(entry, "answer", { entry, answer }) : again(entry, "the answer was not the server's");
  }

  function done(entry, name, detail) {
    JudgeQueue.drop(entry);
    detail.recovered = failures > 0;
    failures = 0;
    told(name, detail);
    return true;
  }

  function again(entry, reason) {
    if (entry.quiet) {
      JudgeQueue.drop(entry);
      return true;
    }
    const seconds = DELAYS_S[Math.min(failures++, DELAYS_S.length - 1)];
    timer = setTimeout(drain, seconds * 1000);
    JudgeTrouble.wait(reason, seconds);
    return false;
  }

  function refuse(entry, status) {
    if (entry.quiet) JudgeQueue.drop(entry);
    else entry.refused = status;
    told("refused", { entry });
    return true;
  }

  function halt(why, address) {
    halted = why;
    JudgeTrouble.halt(why, address);
    return false;
  }

  /** The server would not have it. Is somebody else signed in here by now, or is the page's own key out of date? */
  async function compare(entry, status) {
    const answer = await request(location.pathname);
    if (answer.status === 401) return halt("out", answer.headers.get("X-Sign-In"));
    if (TROUBLED(answer.status)) return again(entry, `the server is in trouble (${answer.status})`);
    if (answer.status !== 200) return halt("other");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (page.getElementById("main")?.dataset.person !== main.dataset.person) return halt("other");
    const renewed = page.querySelector("#main [name=csrfmiddlewaretoken]").value;
    if (status !== 403) return refuse(entry, status);
    csrf = renewed;
    entry.asked = true; // once: a refusal with a fresh key is a refusal
    return true;
  }

  window.addEventListener("online", drain);
  window.addEventListener("focus", () => { if (halted) drain(); });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    JudgeQueue.adopt();
    if (JudgeQueue.first()) drain();
  });

  return {
    drain,
    request,
    page,
    csrf: () => csrf,
    /** The cards that this page holds, for the server to leave out of its answer; the page of cards says which. */
    held: () => "",
    isHalted: () => halted !== "",
    signedOut: (address) => halt("out", address),
  };
})();
