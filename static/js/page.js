/* Every page: menus close on Escape and on a click elsewhere; the current entry of the navigation is in view;
   plots say what is pointed at, and can be saved. */

import { start as startFinding } from "./find.js";
import { start as startSaving } from "./plot-save.js";
import { start as startSaying } from "./plots.js";
import { start as startTicks } from "./ticks.js";

const openMenus = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("click", (event) => {
  for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

const strip = document.querySelector(".collection-nav");
const current = strip?.querySelector("[aria-current]");
if (current) {
  strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.clientWidth) / 2;
  const below = current.getBoundingClientRect().bottom - strip.getBoundingClientRect().bottom;
  if (below > 0) strip.scrollTop = below + strip.clientHeight / 4;
}

startFinding();
startSaving();
startSaying();
startTicks();
