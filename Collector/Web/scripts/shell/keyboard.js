// Gives each key to its command, unless it belongs to what has the focus.

import { commands, keyName } from "./commands.js";

/** What keeps keys that it understands itself. */
const owners = [
  [["Enter", " "], "button, a, summary, select, [role=tab], [role=option] button"],
  [["ArrowDown", "ArrowUp", "Home", "End", "PageUp", "PageDown"], "select, .detail *, .issue-page, .issue-page *, [data-scrolls], [data-scrolls] *"],
  [["ArrowLeft", "ArrowRight", "Home", "End"], "[role=tab], [role=tablist] *, select, pre, [role=slider]"],
];

/** @param {() => void} onEscape  when nothing of what has the focus wants it */
export function listen(onEscape) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const { target } = event;
    const isWriting = target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, [contenteditable]");
    if (event.key === "Escape") {
      if (isWriting) target.blur();
      else onEscape();
      return;
    }
    const name = keyName(event);
    if (isWriting && !name.startsWith("Mod+")) return;
    if (target instanceof Element && owners.some(([keys, selector]) => keys.includes(name) && target.matches(selector))) return;
    const command = commands().findLast(({ keys }) => keys?.includes(name));
    if (!command) return;
    event.preventDefault();
    command.run();
  });
}
