/* Positions in the document: counted in characters (code points) of its text, as the server counts them. What stands in
   #text is the document from its data-first on, character by character, whatever elements are between. */

import { byId } from "../browser.js";

const NOT_BLOCKS = "mark, span, strong, b, em, i, u, s, sub, sup, code, q, small, br";
const text = () => byId("text");
const first = () => Number(text().dataset.first);
const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;
export const length = (string) => string.length - (string.match(pairs)?.length ?? 0);

function* nodes() {
  const walker = document.createTreeWalker(text(), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) yield walker.currentNode;
}

/** How far the browser counts to the character `n` of a string. */
function units(string, n) {
  if (length(string) === string.length) return n;
  let at = 0;
  for (let left = n; left > 0; left -= 1) at += string.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

/** The position of a border in the page; those outside of the text are its ends. */
export function positionOf(node, offset) {
  const range = document.createRange();
  range.selectNodeContents(text());
  if (range.comparePoint(node, offset) < 0) return first();
  if (range.comparePoint(node, offset) === 0) range.setEnd(node, offset);
  return first() + length(range.toString());
}

/** The stretches of text nodes from one position to another: [node, start, end] each. */
function* stretches(start, end) {
  let at = first();
  for (const node of nodes()) {
    const next = at + length(node.data);
    if (at >= end) return;
    if (next > start) {
      yield [node, units(node.data, Math.max(0, start - at)), units(node.data, Math.min(end, next) - at)];
    }
    at = next;
  }
}

export function rangeOf(start, end) {
  const range = document.createRange();
  range.selectNodeContents(text());
  const parts = [...stretches(start, end)];
  if (!parts.length) return range;
  range.setStart(parts[0][0], parts[0][1]);
  range.setEnd(parts.at(-1)[0], parts.at(-1)[2]);
  return range;
}

export const read = (start, end) => [...stretches(start, end)].map(([node, a, b]) => node.data.slice(a, b)).join("");

export function unmark() {
  for (const mark of text().querySelectorAll("mark.evidence")) {
    const parent = mark.parentNode;
    mark.replaceWith(...mark.childNodes);
    parent.normalize();
  }
}

export function mark(start, end) {
  unmark();
  for (const [node, a, b] of [...stretches(start, end)]) {
    if (!node.data.slice(a, b).trim()) continue;
    const part = node.splitText(a);
    part.splitText(b - a);
    const element = document.createElement("mark");
    element.className = "evidence";
    part.replaceWith(element);
    element.append(part);
  }
}

const blockOf = (node) => {
  let element = node.parentElement;
  while (element !== text() && element.matches(NOT_BLOCKS)) element = element.parentElement;
  return element;
};

/** What a sentence never reaches beyond: stretches of text in one block, of what is shown now. */
export function runs() {
  const isCut = text().closest(".reading").dataset.view === "excerpt";
  const all = [];
  let at = first();
  for (const node of nodes()) {
    const element = blockOf(node);
    const last = all.at(-1);
    if (!(isCut && node.parentElement.closest(".out"))) {
      if (last?.element === element && last.end === at) last.string += node.data;
      else all.push({ element, start: at, string: node.data });
      all.at(-1).end = at + length(node.data);
    }
    at += length(node.data);
  }
  return all.filter((run) => run.string.trim());
}

/** Sentences of a run, without the blanks around them: [start, end] each. */
export function sentencesOf({ element, start, string }) {
  const flows = !element.matches(".text > p:not(.flowed), .chunk > p:not(.flowed), pre");
  const even = flows ? string.replace(/\n/g, " ") : string;
  const parts = window.Intl?.Segmenter
    ? [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(even)]
    : [{ segment: even, index: 0 }];
  return parts
    .filter(({ segment }) => segment.trim())
    .map(({ segment, index }) => {
      const from = start + length(even.slice(0, index)) + length(segment) - length(segment.trimStart());
      return [from, from + length(segment.trim())];
    });
}
