// A session as one file, to be kept, given to somebody else, or looked at in other programs.

import { save } from "../base/download.js";

/** @typedef {{path: string, ending: string, label: string}} Form */

/** With its replay, for another collector. */
export const sessionFile = { path: "file", ending: "automobile", label: "Save file" };
/** For Perfetto and Chrome. */
export const chromeTrace = { path: "trace", ending: "trace.json", label: "Chrome trace" };

/** @param {string} id  @param {Form} form  @param {HTMLButtonElement|null} button  says how it goes */
export async function downloadSession(id, { path, ending, label }, button = null) {
  const say = (words) => { if (button) button.textContent = words; };
  say("Saving…");
  try {
    await save(`sessions/${encodeURIComponent(id)}/${path}`, `session-${id.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 12)}.${ending}`);
    say("Saved");
  } catch {
    say("Failed");
  }
  setTimeout(() => say(label), 1500);
}
