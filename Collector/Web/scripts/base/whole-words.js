// What is said when a search was narrowed by the collector: so many words begin like these that it looked for whole words only.

import { h } from "./dom.js";

export const wholeWords = () => h("span.narrowed", {
  hidden: true, role: "status", title: "Too many words start like this. Type more letters to match beginnings again.",
}, "Whole words only");
