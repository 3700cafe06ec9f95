"use strict";
/* One key a judgment. Digits by their place on the keyboard (any layout), the others by the person's own letters. */
(() => {
  const byId = (id) => document.getElementById(id);
  const use = byId("keys-on");
  const STORE = "judge-keys";
  const keys = JSON.parse(byId("judge-keys").textContent); // deed → letter
  const deeds = new Map(Object.entries(keys).map(([deed, key]) => [key, deed]));

  const press = (selector) => () => [...document.querySelectorAll(selector)].find(isThere)?.click();
  const isThere = (button) => !button.disabled && button.offsetParent !== null;

  const actions = {
    undo: press("form[data-deed=undo].last button"),
    keep: press("form[data-deed=keep] button"),
    later: press("#later-form button"),
    recent: () => JudgePanels.toggle("recent"),
    skip: () => JudgePanels.toggle("skip"),
    comment: () => JudgePanels.toggle("comment"),
    guideline: () => JudgePanels.toggle("guideline"),
    topic: () => JudgePanels.fold(),
    meanings: () => JudgePanels.meanings(),
    keys: () => JudgePanels.help(),
    evidence: () => ask("evidence"),
    whole: () => ask("whole"),
    marks: () => ask("marks"),
    words: () => JudgePanels.toggle("words"),
  };

  /** The document's own part of the page does these, asked by a key or a button. */
  function ask(what) {
    if (byId("document")) document.dispatchEvent(new CustomEvent(`judge:${what}`));
  }

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
    const place = /^(Digit|Numpad)(\d)$/.exec(event.code);
    if (!place || event.key === "?" || (place[1] === "Numpad" && !/^\d$/.test(event.key))) return "";
    return place[2];
  }

  function isTyping(target) {
    return target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
  }

  function escape(event) {
    if (isTyping(event.target)) event.target.blur();
    if (!JudgePanels.closeOne() && !Judge.takeBack()) JudgePanels.focusDocument();
  }

  function act(event) {
    const number = digit(event);
    if (number) return () => JudgePanels.choose(Number(number)) || grade(number);
    const key = letter(event);
    const deed = key === "?" ? "keys" : deeds.get(key);
    return deed?.startsWith("grade_") ? () => grade(deed.slice("grade_".length)) : actions[deed];
  }

  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (byId("keys").open) return;
    if (event.key === "Escape") return escape(event);
    if (!use.checked || isTyping(event.target)) return;
    const action = act(event);
    if (!action) return;
    event.preventDefault();
    action();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("#whole, #marks, #evidence");
    if (button) ask(button.id);
  });

  /** Buttons say the person's own keys, to eyes and to ears. */
  function show() {
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

  // Single keys can be switched off (WCAG 2.1.4); the choice stays in this browser.
  try {
    use.checked = localStorage.getItem(STORE) !== "off";
  } catch { /* on, then */ }
  use.addEventListener("change", () => {
    show();
    try {
      localStorage.setItem(STORE, use.checked ? "on" : "off");
    } catch { /* for this page only */ }
  });
  document.addEventListener("judge:card", show);
  show();
})();
