// Everything that can be done by a key or from the palette, in one place: the keyboard, the palette and the list of keys read it.

/**
 * @typedef {object} Command
 * @property {string} title         what it does, as the palette and the list of keys say it
 * @property {string} group         where the list of keys puts it
 * @property {() => void} run
 * @property {string[]} [keys]      as `keyName` spells them; any of them runs it
 * @property {boolean} [palette]    false: only a key (what repeats, as going to the next event, is no use in a palette)
 * @property {string} [hint]        more words, shown faintly in the palette
 */

const sources = [];

/** Adds a source of commands, asked each time: what it answers may depend on the page. Later ones win. */
export function provide(source) {
  sources.push(source);
}

const listeners = new Set();

/** Calls the listener when a source has got more to say than it had, until the signal ends it. */
export function onCommands(listener, signal) {
  listeners.add(listener);
  signal.addEventListener("abort", () => listeners.delete(listener));
}

/** Tells those who show commands that there are others now: what a source knows may come from the collector, and late. */
export const commandsChanged = () => listeners.forEach((listener) => listener());

/** @returns {Command[]} all that can be done now */
export const commands = () => sources.flatMap((source) => source() ?? []);

/** "j", "G", "Mod+k", "Shift+ArrowLeft": Mod is the command key or Control. */
export function keyName(event) {
  return [
    event.ctrlKey || event.metaKey ? "Mod" : null, event.altKey ? "Alt" : null,
    // A letter or sign shows by itself that it was shifted.
    event.shiftKey && event.key.length > 1 ? "Shift" : null, event.key,
  ].filter(Boolean).join("+");
}

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform ?? "");
const spelled = {
  ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", " ": "Space", Mod: isMac ? "⌘" : "Ctrl", Shift: "⇧", Alt: "Alt",
};

/** A key as people read it: "⌘ K". */
export const keyLabel = (key) =>
  key === "+" ? key : key.split(/\+(?!$)/).map((part, _, all) => spelled[part] ?? (all.length > 1 ? part.toUpperCase() : part)).join(" ");
