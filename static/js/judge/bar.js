/* The bar under the card belongs to the page; for each card that comes to the screen it is filled anew. */

import { byId, tryStorage } from "../browser.js";
import * as queue from "./queue.js";

const FLASH_MS = 250;
const bar = byId("bar");
const draft = (token) => `judge-draft:${token}`;
const grades = () => [...document.querySelectorAll("#grades .grade")];

export const nameOf = (button) => `${button.value} ${button.querySelector(".name").firstChild.textContent.trim()}`;

export function fill(card) {
  const { token = "", grade, comment = "", evidenceStart = "", evidenceEnd = "" } = card.dataset;
  bar.hidden = !token;
  for (const input of bar.querySelectorAll("input[name=token]")) input.value = token;
  const { elements } = byId("grades");
  elements.evidence_start.value = evidenceStart;
  elements.evidence_end.value = evidenceEnd;
  byId("comment-text").value = tryStorage(() => sessionStorage.getItem(draft(token))) ?? comment;
  const { waiting } = card.dataset;
  mark(waiting || grade, waiting ? "on its way" : "your grade");
  for (const part of bar.querySelectorAll("[data-of]")) {
    part.hidden = (part.dataset.of === "revision") !== Boolean(waiting || grade);
  }
  byId("keep-grade").textContent = waiting || grade || "";
  busy(false);
  byId("skip-form").reset();
}

/** Write beside a grade whose it is: the one given before. */
function mark(value, text) {
  for (const old of bar.querySelectorAll(".given")) old.remove();
  const name = grades().find((button) => button.value === value)?.querySelector(".name");
  if (!name) return;
  const note = document.createElement("span");
  note.className = "given";
  note.textContent = text;
  name.append(" ", note);
}

/** The card stays on the screen while its grade is on its way. */
export function busy(isBusy, value = "") {
  bar.setAttribute("aria-busy", String(isBusy));
  for (const button of grades()) button.classList.toggle("chosen", isBusy && button.value === value);
}

/** No answer is awaited for the card on the screen any more: it can be graded. */
export function free() {
  const { dataset } = byId("card");
  if (!("waiting" in dataset) || queue.has(dataset.token)) return;
  delete dataset.waiting;
  fill(byId("card"));
}

/** Show for a moment which grade was hit; the next card is there already. */
export function flash(value) {
  const button = grades().find((each) => each.value === value);
  button?.classList.add("hit");
  setTimeout(() => button?.classList.remove("hit"), FLASH_MS);
}

/** Whether there is something to undo: saved before, on its way, or held. */
export function renewUndo() {
  const isOnItsWay = queue.lasting().some((entry) => entry.deed === "grade" || entry.held);
  bar.querySelector("form.last button").disabled = !byId("progress").dataset.undo && !isOnItsWay;
}

/** The card's comment has been sent with its grade. */
export const forgetDraft = (token) => tryStorage(() => sessionStorage.removeItem(draft(token)));

export function start() {
  document.addEventListener("input", ({ target }) => {
    if (target.id !== "comment-text") return;
    tryStorage(() => sessionStorage.setItem(draft(byId("grades").elements.token.value), target.value));
  });
}
