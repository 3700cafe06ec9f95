"use strict";
/* The worked examples of the guideline's panel, as annotation/text/cases.py chooses them: one of each grade first, which
   one and in which order going by person and topic. The server has done so for the first card. */
(() => {
  const panel = document.getElementById("guideline");
  const person = document.getElementById("main").dataset.person;

  function chance(turn, what, grade) {
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(`${what} ${grade} ${turn}`)) hash = Math.imul(hash ^ byte, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  function turnTo(turn) {
    const first = panel.querySelector('[data-cases="first"]');
    if (!first) return;
    const cases = [...panel.querySelectorAll("[data-case]")].sort((a, b) => a.dataset.case - b.dataset.case);
    const grades = [...new Set(cases.map((each) => each.dataset.grade))];
    const order = new Map(grades.map((grade) => [grade, chance(turn, "order", grade)]));
    grades.sort((a, b) => order.get(a) - order.get(b) || a - b);
    const chosen = grades.map((grade) => {
      const ofGrade = cases.filter((each) => each.dataset.grade === grade);
      return ofGrade[chance(turn, "choice", grade) % ofGrade.length];
    });
    first.replaceChildren(...chosen);
    panel.querySelector('[data-cases="further"]')?.replaceChildren(...cases.filter((each) => !chosen.includes(each)));
  }

  document.addEventListener("judge:card", ({ detail: { card } }) => {
    if (card.dataset.topic) turnTo(`${person} ${card.dataset.topic}`);
  });
})();
