"use strict";
/* Digits, of the row or the numpad, answer a pair of a round; the page does without. */
(() => {
  const DIGIT = /^(?:Digit|Numpad)(\d)$/;

  document.addEventListener("keydown", (event) => {
    const inField = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || inField) return;
    const grade = event.code === "KeyX" ? "10" : DIGIT.exec(event.code)?.[1];
    const button = grade && document.querySelector(`#grades button[value="${grade}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  document.getElementById("go-on")?.focus();
})();
