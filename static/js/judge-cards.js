"use strict";
/* The cards this page holds: the one on the screen, the next one, and those whose grade is on its way. The server's
   last answer says their order; the first that waits for no answer is shown, and none is taken from under the eyes. */
const JudgeCards = (() => {
  const byId = (id) => document.getElementById(id);
  const held = new Map(); // token → section
  let order = [];
  let shown = null; // token of the card on the screen; null in place of a card
  let again = null; // token of a card whose grade is on its way and which is shown once more

  const isOpen = (token) => held.has(token) && (!JudgeQueue.has(token) || token === again);

  function hold(section) {
    if (section?.dataset.token) held.set(section.dataset.token, section);
    return section?.dataset.token ?? null;
  }

  function show(section) {
    byId("card").replaceWith(section);
    shown = hold(section);
    if (shown !== again) again = null;
    document.dispatchEvent(new CustomEvent("judge:card", { detail: { card: section } }));
  }

  /** Show the first open card, unless an open one is there; false when there is none. */
  function settle({ turn = false } = {}) {
    const open = order.filter(isOpen);
    if (!turn && (open.includes(shown) || (shown !== null && shown === again))) return true;
    if (!open.length) return false;
    show(held.get(open[0]));
    return true;
  }

  /** The cards in an answer of the server, and the order it says. */
  function take(answer, { turn }) {
    order = [answer.dataset.current, answer.dataset.next].filter(Boolean);
    let place = null; // what stands in place of a card
    for (const template of answer.querySelectorAll("template[data-card]")) {
      const section = document.importNode(template.content, true).firstElementChild;
      if (!hold(section)) place = section;
    }
    forget();
    if (settle({ turn })) return;
    if (place && !order.length) show(place);
    else if (order.length && !order.some((token) => held.has(token))) location.reload();
  }

  function forget() {
    for (const token of held.keys()) {
      if (order.includes(token) || token === shown || JudgeQueue.has(token)) continue;
      held.delete(token);
      JudgeTime.forget(token);
    }
  }

  /** A card whose grade is on its way comes back to the screen. */
  function reopen(token) {
    if (!held.has(token)) return false;
    again = token;
    show(held.get(token));
    return true;
  }

  /** The card has been answered elsewhere: it is none of the next ones. */
  function strike(token) {
    order = order.filter((each) => each !== token);
    held.delete(token);
  }

  /** On to the next card, if there is one. */
  function leave() {
    again = null;
    settle({ turn: true });
  }

  order.push(hold(byId("card")));
  shown = order[0];
  const next = byId("next");
  if (next) order.push(hold(document.importNode(next.content, true).firstElementChild));
  order = order.filter(Boolean);

  return {
    take,
    settle,
    show,
    reopen,
    leave,
    strike,
    shown: () => shown,
    isAgain: () => again !== null,
    section: (token) => held.get(token),
    tokens: (besides = "") => [...held.keys()].filter((token) => token !== besides),
    /** Cards held ahead: handed back when the page goes. */
    ahead: () => order.filter((token) => token !== shown && isOpen(token)),
  };
})();
