/* The guideline's panel beside the cards: its worked examples, and its version. */

import { byId, parse } from "../browser.js";
import * as queue from "./queue.js";
import { request } from "./send.js";

const panel = byId("guideline");
const { person } = byId("main").dataset;
let isAsked = false;

export function show({ dataset: { topic } }) {
  if (topic) choose(`${person} ${topic}`);
  compare();
}

/** Worked examples as annotation/text/cases.py chooses them: one of each grade first, which one and in which order going
    by person and topic. The server has done so for the first card. */
function choose(turn) {
  const first = panel.querySelector('[data-cases="first"]');
  if (!first) return;
  const cases = [...panel.querySelectorAll("[data-case]")].sort((a, b) => a.dataset.case - b.dataset.case);
  const grades = [...new Set(cases.map((each) => each.dataset.grade))];
  const order = new Map(grades.map((grade) => [grade, chance(turn, "order", grade)]));
  grades.sort((a, b) => order.get(a) - order.get(b) || a - b);
  const firstCases = grades.map((grade) => {
    const ofGrade = cases.filter((each) => each.dataset.grade === grade);
    return ofGrade[chance(turn, "choice", grade) % ofGrade.length];
  });
  first.replaceChildren(...firstCases);
  panel.querySelector('[data-cases="further"]')?.replaceChildren(...cases.filter((each) => !firstCases.includes(each)));
}

function chance(turn, what, grade) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${what} ${grade} ${turn}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Beside a card stands the version of the guideline that its judgment will carry. Where that is another than the page
    came with, because its person has read a newer one elsewhere, the panel comes anew, once nothing is on its way. */
export async function compare() {
  const { guideline } = byId("card").dataset;
  if (!guideline || guideline === panel.dataset.guideline || isAsked || queue.next()) return;
  isAsked = true;
  const answer = await request(location.pathname).catch(() => null);
  if (answer?.status === 200) renew(parse(await answer.text()).getElementById("guideline"));
  isAsked = false;
}

function renew(newer) {
  if (!newer) return;
  panel.dataset.guideline = newer.dataset.guideline;
  panel.querySelector(".guideline-body").replaceWith(newer.querySelector(".guideline-body"));
}
