/* Digits, of the row or the numpad, answer a pair of a round, unless somebody has switched keys off on the judging page.
   The page does without. */

import { areKeysOn, byId } from "./browser.js";

const DIGIT = /^(?:Digit|Numpad)(\d)$/;
const buttons = [...document.querySelectorAll("#grades button")];

function press(event) {
  const inField = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || inField) return;
  const grade = event.code === "KeyX" ? "10" : DIGIT.exec(event.code)?.[1];
  const button = buttons.find((each) => each.value === grade);
  if (!button) return;
  event.preventDefault();
  button.click();
}

byId("go-on")?.focus();
if (areKeysOn()) {
  for (const button of buttons) button.setAttribute("aria-keyshortcuts", button.value === "10" ? "x" : button.value);
  document.addEventListener("keydown", press);
}
