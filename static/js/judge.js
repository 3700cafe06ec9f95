"use strict";
/* The judging page's deeds, whether a key, a click or a finger asks. A grade is armed until the minimum time is
   reached; then it joins the queue, and the next card is there at once. */
const Judge = (() => {
  const SLIP_MS = 200; // nobody has seen a card so soon: a press then was meant for the one before, or is a second one
  const byId = (id) => document.getElementById(id);
  const card = () => byId("card");
  let armed = null;
  let watch = null;
  let turned = -Infinity; // when a deed last brought another card
  let clicks = 0;

  /** Is the card taken: gone already, or going to be another one? */
  function isTaken(token) {
    return (JudgeQueue.has(token) && !JudgeCards.isAgain()) || Boolean(JudgeQueue.opening());
  }

  const isSlip = () => clicks > 1 || performance.now() - turned < SLIP_MS;

  function grade(button) {
    if (isTaken(card().dataset.token) || isSlip()) return;
    if (JudgeTime.leftMs() > 0) arm(button);
    else commit(button.form, { deed: "grade", grade: button.value, name: JudgeBar.nameOf(button) });
  }

  function arm(button) {
    disarm();
    armed = button;
    button.setAttribute("aria-pressed", "true");
    JudgeSay.say(`Waiting: ${JudgeBar.nameOf(button)} (Esc takes it back).`);
  }

  function disarm() {
    armed?.removeAttribute("aria-pressed");
    armed = null;
  }

  /** Take back the grade that waits for the minimum time, or stay here after all; false when there is neither. */
  function takeBack() {
    const opening = JudgeQueue.opening();
    if (!armed && !opening) return false;
    if (opening) JudgeQueue.drop(opening);
    disarm();
    JudgeBar.busy(false);
    JudgeSay.say("Taken back. Choose a grade.");
    JudgeTrouble.tell();
    return true;
  }

  /** While the minimum time runs: the gauge; when it is over, the armed grade goes. */
  function watchFloor() {
    const left = JudgeTime.leftMs();
    byId("floor").hidden = left <= 0;
    byId("floor-progress").max = JudgeTime.floorMs() || 1;
    byId("floor-progress").value = JudgeTime.floorMs() - left;
    byId("floor-left").textContent = `${Math.ceil(left / 1000)} s`;
    const writing = armed && document.querySelector("#bar .pop[open]"); // a comment or a reason: not under their hands
    clearTimeout(watch);
    if (left > 0 || writing) watch = setTimeout(watchFloor, Math.min(left || 200, 200));
    else if (armed) commit(armed.form, { deed: "grade", grade: armed.value, name: JudgeBar.nameOf(armed) });
  }

  /** Put a form's deed into the queue and go on. */
  function commit(form, { deed, name, grade: value, fields: more }) {
    const fields = { ...Object.fromEntries(new FormData(form)), ...more };
    delete fields.csrfmiddlewaretoken;
    const { token = "" } = fields;
    if (deed === "grade" && form.id === "grades") Object.assign(fields, timed(value));
    disarm();
    const entry = { deed, name, token, fields, url: form.action, title: card().dataset.title ?? "" };
    if (!JudgeRevisit.replace(entry)) JudgeQueue.add(entry);
    JudgeBar.sent(token);
    goOn(entry);
    JudgeSend.drain();
  }

  function timed(value) {
    return { grade: value, active_ms: String(JudgeTime.activeMs()), wall_ms: String(JudgeTime.wallMs()) };
  }

  /** The next card comes in at once; where none waits, this one stays until the answer is there. */
  function goOn({ deed, name, fields }) {
    const before = card();
    if (deed !== "undo") before.dataset.waiting = fields.grade ?? "";
    if (deed === "grade") JudgeBar.undoable(true);
    JudgeSay.show(deed === "grade" ? `Saving: ${name} …` : `${name} …`);
    if (deed !== "undo") JudgeCards.leave();
    if (card() === before) JudgeBar.busy(true, fields.grade);
    else if (deed === "grade") JudgeBar.flash(fields.grade);
  }

  /** Another card, or what stands in place of one, is on the screen. */
  function start() {
    disarm();
    const { token = "", floor = 0, waited = 0 } = card().dataset;
    JudgeTime.start(token, Number(floor), Number(waited));
    JudgeBar.fill(card());
    JudgePanels.start(card());
    if (card().dataset.grade) JudgeSay.say(`You graded this ${card().dataset.grade}. That stands until you save another grade.`);
    watchFloor();
  }

  document.addEventListener("click", (event) => { clicks = event.detail; }, true);

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    const deed = form.dataset.deed;
    if (!deed) return;
    event.preventDefault();
    if (form.id === "grades") return grade(submitter);
    if (deed === "undo") return JudgeRevisit.undo(form);
    if (isTaken(card().dataset.token) || isSlip()) return;
    if (deed === "keep" && JudgeCards.isAgain()) return JudgeCards.leave();
    closePanels();
    commit(form, { deed, name: form.dataset.name });
  }, true);

  function closePanels() {
    while (JudgePanels.closeOne());
  }

  document.addEventListener("judge:card", () => {
    turned = performance.now();
    start();
  });
  document.addEventListener("judge:refused", ({ detail: { entry } }) => {
    delete JudgeCards.section(entry.token)?.dataset.waiting;
    if (!JudgeCards.settle()) return;
    JudgeBar.fill(card());
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  /** What waits from before goes first; a page without a next card asks for one. */
  function begin() {
    JudgeSend.held = (token) => JudgeCards.tokens(token).join(",");
    JudgeQueue.adopt();
    start();
    const waits = JudgeQueue.of(card().dataset.token);
    if (waits && !JudgeCards.settle()) {
      card().dataset.waiting = waits.fields.grade ?? "";
      JudgeBar.busy(true, waits.fields.grade);
    }
    lookAhead();
  }

  /** Ask for a next card. At the beginning always: the page that was here before may just have handed it back. */
  function lookAhead() {
    if (JudgeCards.shown()) {
      JudgeQueue.add({ deed: "start", quiet: true, token: "", url: byId("main").dataset.start, fields: {} });
    }
    JudgeSend.drain();
  }

  begin();

  return { takeBack, commit, lookAhead };
})();
