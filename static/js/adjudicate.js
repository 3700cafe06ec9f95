/* Keys of those who decide: digits choose a grade, Enter hands it in, letters press what names them by data-press. */

import { areKeysOn, byId, isTyping, switchKeys } from "./browser.js";

const use = byId("keys-on");
if (use) {
  use.checked = areKeysOn();
  use.addEventListener("change", () => switchKeys(use.checked));
}

const isThere = (element) => element.getClientRects().length > 0;
const grades = () => [...document.querySelectorAll(".grade input")].filter((input) => isThere(input.parentElement));

/** Choose a grade: the page shows it chosen, and nothing is sent before Enter. */
function choose(digit) {
  const input = grades().find((each) => each.value === digit);
  if (!input) return false;
  input.checked = true;
  input.focus();
  return true;
}

function press(key) {
  const target = [...document.querySelectorAll(`[data-press="${key}"]`)].find(isThere);
  target?.click();
  return Boolean(target);
}

function act(event) {
  const digit = /^(Digit|Numpad)(\d)$/.exec(event.code);
  if (digit) return choose(digit[2]);
  const key = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : event.code.slice(3).toLowerCase();
  if (key === "p") return history.back(), true;
  if (key === "r") return byId("id_reason")?.focus(), true;
  return /^[a-z]$/.test(key) && press(key);
}

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.isComposing || event.altKey || event.metaKey) return;
  if (event.ctrlKey) {
    if (event.key === "Enter" && event.target.id === "id_reason") event.target.form.requestSubmit(event.target.form.querySelector("button"));
    return;
  }
  if ((use && !use.checked) || isTyping(event.target)) return;
  if (act(event)) event.preventDefault();
});
