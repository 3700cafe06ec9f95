/* A pair of a round of training, on the judging page: the same keys, marks and panels. The grade goes as the form it is;
   the server's next page says what was right. */

import { areKeysOn, byId } from "./browser.js";
import * as documentText from "./judge/document-text.js";
import * as keys from "./judge/keys.js";
import * as marks from "./judge/marks.js";
import * as panels from "./judge/panels.js";

panels.start();
documentText.start(() => {});
for (const part of [marks, keys]) part.start();
panels.show(byId("card"));
for (const part of [documentText, marks, keys]) part.show();

// Said once the keys are heard, unless somebody has switched them off on the judging page.
const buttons = areKeysOn() ? document.querySelectorAll("#grades .grade") : [];
for (const button of buttons) button.setAttribute("aria-keyshortcuts", button.value === "10" ? "x" : button.value);
byId("go-on")?.focus();
