/* One key a judgment. Digits by their place on the keyboard (any layout), the others by the person's own letters. */

import { areKeysOn, byId, isTyping, switchKeys } from "../browser.js";
import * as documentText from "./document-text.js";
import * as evidence from "./evidence.js";
import { takeBack } from "./grading.js";
import * as marks from "./marks.js";
import * as panels from "./panels.js";
import { say } from "./say.js";

const use = byId("keys-on");
const keys = JSON.parse(byId("judge-keys").textContent); // deed → letter
const deeds = new Map(Object.entries(keys).map(([deed, key]) => [key, deed]));

const click = (selector) => () => [...document.querySelectorAll(selector)].find(isThere)?.click();
const isThere = (button) => !button.disabled && button.offsetParent !== null;

/** What is done to the document is done where there is one. */
const inDocument = (action) => () => byId("document") && action();

/** Done to a card that is not graded yet. Where nothing opened unsaid, a reason's digit would be taken for a grade. */
const ifFirst = (action) => () => {
  if (byId("skip").hidden) say("It is graded: it cannot be skipped or put off. Grade it anew, or keep it.");
  else action();
};

const actions = {
  undo: click("form[data-deed=undo].last button"),
  keep: click("form[data-deed=keep] button"),
  later: ifFirst(click("#later-form button")),
  recent: () => panels.toggle("recent"),
  skip: ifFirst(() => panels.toggle("skip")),
  comment: () => panels.toggle("comment"),
  guideline: () => panels.toggle("guideline"),
  topic: () => panels.fold(),
  meanings: () => panels.meanings(),
  keys: () => panels.help(),
  evidence: inDocument(evidence.take),
  whole: inDocument(documentText.toggleWhole),
  marks: inDocument(documentText.toggleMarks),
  next_mark: inDocument(marks.next),
  previous_mark: inDocument(marks.previous),
  words: () => panels.toggle("words"),
};

const gradeButton = (value) => document.querySelector(`#grades .grade[value="${value}"]`);

function grade(value) {
  const button = gradeButton(value);
  if (button && isThere(button)) button.click();
}

/** The key meant: as typed where the layout is Latin, else by the place of the key. */
function letter(event) {
  if (event.key === "?" || /^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  return /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : event.key;
}

/** The digit meant, or "". Without NumLock the keys of the number pad scroll. */
function digit(event) {
  const [, part, value] = /^(Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (!part || event.key === "?" || (part === "Numpad" && !/^\d$/.test(event.key))) return "";
  return value;
}

function escape(event) {
  if (isTyping(event.target)) event.target.blur();
  if (!panels.closeOne() && !takeBack()) panels.focusDocument();
}

function actionOf(event) {
  const number = digit(event);
  if (number) return () => panels.choose(Number(number)) || grade(number);
  const key = letter(event);
  const deed = key === "?" ? "keys" : deeds.get(key);
  return deed?.startsWith("grade_") ? () => grade(deed.slice("grade_".length)) : actions[deed];
}

/** Ctrl+Enter (⌘ on a Mac) ends what is being written: a skip is sent, a comment is closed and waits for the grade. */
function finish(field) {
  if (field.form?.id === "skip-form") field.form.requestSubmit();
  else panels.closeOne();
}

function press(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat && event.target.matches("textarea")) {
    event.preventDefault();
    return finish(event.target);
  }
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (byId("keys").open) return;
  if (event.key === "Escape") return escape(event);
  if (!use.checked || isTyping(event.target)) return;
  const action = actionOf(event);
  if (!action) return;
  event.preventDefault();
  action();
}

/** Buttons say the person's own keys, to eyes and to ears. */
export function show() {
  document.body.classList.toggle("no-keys", !use.checked);
  for (const part of document.querySelectorAll("[data-key]")) {
    const key = keys[part.dataset.key] ?? (part.dataset.key === "keys" ? "?" : "");
    const sign = part.matches("kbd") ? part : part.querySelector("kbd");
    if (sign) Object.assign(sign, { textContent: key.toUpperCase(), hidden: !key });
    if (part.dataset.key.startsWith("grade_")) part.closest("div").hidden = !key || !gradeButton(part.dataset.key.slice(6));
    if (use.checked && key && sign !== part) part.setAttribute("aria-keyshortcuts", key);
    else part.removeAttribute("aria-keyshortcuts");
  }
}

export function start() {
  use.checked = areKeysOn();
  use.addEventListener("change", () => {
    show();
    switchKeys(use.checked);
  });
  document.addEventListener("keydown", press);
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("#whole, #marks, #evidence");
    if (button) actions[button.id]();
  });
}
