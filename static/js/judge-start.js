/* The page before judging, without a card: a judgment that waited in the browser is sent, and said. */

import { byId, parse } from "./browser.js";
import * as queue from "./judge/queue.js";
import * as say from "./judge/say.js";
import * as send from "./judge/send.js";

const line = byId("late");

send.start({
  answered({ entry, answer }) {
    const text = answer.querySelector(".said")?.textContent.trim() ?? "";
    line.hidden = false;
    line.textContent = entry.title ? `${text} for “${entry.title}”` : text;
    say.announce(line.textContent);
  },
  asked({ text }) {
    line.hidden = false;
    line.replaceChildren(document.importNode(parse(text).getElementById("card"), true));
  },
  changed: say.trouble,
});
say.start();
queue.adopt();
send.drain();
