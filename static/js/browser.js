/* What the modules of several pages ask of the browser. */

export const byId = (id) => document.getElementById(id);

export const parse = (html) => new DOMParser().parseFromString(html, "text/html");

/** The result of an action on `localStorage` or `sessionStorage`; null where storage is full or switched off. */
export function tryStorage(action) {
  try {
    return action();
  } catch {
    return null;
  }
}

// Single keys can be switched off (WCAG 2.1.4); the choice stays in this browser, for every page with such keys.
const KEYS = "judge-keys";

export const areKeysOn = () => tryStorage(() => localStorage.getItem(KEYS)) !== "off";

export const switchKeys = (isOn) => tryStorage(() => localStorage.setItem(KEYS, isOn ? "on" : "off"));

/** Whether letters and digits pressed in this element are its own. */
export function isTyping(target) {
  return target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
}
