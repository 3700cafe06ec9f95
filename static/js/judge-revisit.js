"use strict";
/* Back to what was graded: the last one, or one of the list of recent ones; and the question which of two grades stands. */
const JudgeRevisit = (() => {
  const byId = (id) => document.getElementById(id);
  const past = []; // tokens of what was graded here, in order
  let place = null; // which of them is open again

  /** What the next undo opens; "" leaves it to the server, which knows what was graded before this page. */
  const before = () => past.at(place === null ? -1 : place - past.length - 1) ?? "";

  /** The grade given last, while it is on its way and its card is still here. */
  function onItsWay() {
    const last = JudgeQueue.lasting().at(-1);
    return last?.deed === "grade" && JudgeCards.section(last.token) ? last : null;
  }

  function undo(form) {
    if (Judge.takeBack()) return;
    const last = form.dataset.token ? null : onItsWay();
    if (JudgeCards.isAgain()) return JudgeSay.say("Those before it can be opened once this one is saved.");
    if (last) {
      JudgeCards.reopen(last.token);
      return JudgeSay.say(`You chose ${last.name}, which is on its way. Choose again, or keep it.`);
    }
    const token = form.dataset.token ?? before();
    byId("recent").open = false;
    Judge.commit(form, { deed: "undo", name: "Opening it again", fields: { token } });
  }

  /** Another grade for a card whose first one is on its way: that one says the new grade, or is followed by it. */
  function replace(entry) {
    const waiting = entry.deed === "grade" && JudgeQueue.of(entry.token);
    if (!waiting) return false;
    entry.fields.change = "yes";
    if (waiting.isGoing) return false;
    JudgeQueue.amend(waiting, { name: entry.name, fields: entry.fields });
    return true;
  }

  /** The server asks which grade stands. Where the person has said so already, it is told; else they are asked. */
  function ask({ entry, text }) {
    const section = new DOMParser().parseFromString(text, "text/html").getElementById("card");
    JudgeCards.strike(entry.token);
    if (entry.fields.change) {
      const token = section.querySelector("[name=token]").value;
      JudgeQueue.add({ ...entry, token, fields: { ...entry.fields, token } });
    } else JudgeCards.show(document.importNode(section, true));
  }

  /** The list of recent judgments, each time it is opened. */
  async function list() {
    const { open, dataset } = byId("recent");
    if (!open) return;
    const answer = await JudgeSend.request(dataset.list).catch(() => null);
    const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page && page.getElementById("recent-list");
    if (found) byId("recent-list").replaceWith(document.importNode(found, true));
    else byId("recent-list").textContent = "The list cannot be had now: no connection.";
    byId("recent-list").querySelector("button")?.focus();
  }

  function remember({ entry, answer }) {
    const isNew = entry.deed === "grade" && !past.includes(entry.token) && !entry.fields.revision;
    if (isNew && answer.dataset.outcome !== "refused") past.push(entry.token);
    const known = entry.deed === "undo" ? past.indexOf(entry.token) : -1;
    place = known >= 0 ? known : null;
  }

  document.addEventListener("judge:answer", (event) => remember(event.detail));
  document.addEventListener("judge:asked", (event) => ask(event.detail));
  byId("recent")?.addEventListener("toggle", list);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-stay]") || !JudgeCards.settle({ turn: true })) return;
    event.preventDefault();
    Judge.lookAhead();
  });

  return { undo, replace };
})();
