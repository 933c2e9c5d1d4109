// A session as one file, to be kept or given to somebody else.

import { save } from "../base/download.js";

/** @param {string} id  @param {HTMLButtonElement|null} button  says how it goes */
export async function downloadSession(id, button = null) {
  const say = (words) => { if (button) button.textContent = words; };
  say("Saving…");
  try {
    await save(`sessions/${encodeURIComponent(id)}/file`, `session-${id.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 12)}.automobile`);
    say("Saved");
  } catch {
    say("Failed");
  }
  setTimeout(() => say("Save file"), 1500);
}
