// What is said when a search was narrowed by the collector: so many words begin like these that it looked for whole words only.

import { h } from "./dom.js";

export const wholeWords = () => h("span.narrowed", {
  hidden: true, role: "status", title: "Too many words begin like this. A longer word finds beginnings as well.",
}, "Whole words only");
