// The command palette: pages, what the page at hand can do, saved searches, and issues and sessions as one types.

import { debounce, fill, h } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { commands, keyLabel, onCommands } from "./commands.js";
import { score } from "./fuzzy.js";
import { completed, completeAny, settled } from "../search/complete.js";
import { marked } from "../search/marks.js";

const most = 40;
/** Offered at once. */
const mostCompletions = 6;

/**
 * Opens the palette.
 *
 * @param {(text: string, signal: AbortSignal) => Promise<{title: string, hint: string, group: string, run: () => void}[]>} find
 *   what the collector has to say to a text
 */
export function openPalette(find) {
  if (document.querySelector("dialog[open]")) return;
  const offered = () => commands().filter(({ palette, title }) => palette !== false && title);
  let known = offered();
  let shown = [];
  let found = [];
  let chosen = 0;
  let abort = new AbortController();
  const open = new AbortController();
  /** What may come next where the caret stands, and the place that it would take. */
  let completions = { items: [], from: 0, to: 0 };
  const before = document.activeElement;

  const list = h("div.palette-list", { role: "listbox", id: "palette-list", aria: { label: "Results" } });
  const status = h("p.visually-hidden", { role: "status" });
  const field = h("input", {
    type: "text", role: "combobox", placeholder: "Search issues and sessions, or run a command…", autocomplete: "off", spellcheck: false,
    aria: { label: "Search commands, issues and sessions", controls: "palette-list", expanded: "true", autocomplete: "list" },
  });
  const offers = h("div.palette-completions", { role: "group", aria: { label: "Completions" }, hidden: true });
  const dialog = document.body.appendChild(h("dialog.palette", { aria: { label: "Command palette" } },
    h("div.palette-field", null, icon("search"), field, h("kbd", null, "Esc")), offers, list, status));

  const draw = () => {
    const text = settled(field.value);
    const ranked = known.map((command) => [score(text, `${command.title} ${command.hint ?? ""}`), command])
      .filter(([points]) => points > 0);
    if (text) ranked.sort((a, b) => b[0] - a[0]);
    // What fits only by its letters comes behind what was found.
    const fits = ranked.slice(0, most);
    const [strong, weak] = [fits.filter(([points]) => !text || points >= 900), fits.filter(([points]) => text && points < 900)];
    shown = [...strong.map(([, command]) => command), ...found, ...weak.map(([, command]) => command)];
    chosen = Math.min(chosen, Math.max(shown.length - 1, 0));
    let group = null;
    // A list of choices has some.
    list.setAttribute("role", shown.length ? "listbox" : "group");
    field.setAttribute("aria-expanded", String(shown.length > 0));
    fill(list, shown.length ? shown.map((command, index) => {
      // Ranked by how well they fit, groups would only repeat themselves.
      const head = !text || found.includes(command) ? command.group : "Commands";
      const title = head === group ? null : h("div.palette-group", { role: "presentation" }, head);
      group = head;
      return [title, h("div.palette-item", {
        role: "option", id: `palette-${index}`, aria: { selected: String(index === chosen) },
        onPointerMove: () => { if (chosen !== index) choose(index, false); }, onClick: () => run(index),
      }, h("span.title", null, marked(command.title, command.marks)), command.hint ? h("span.more", null, marked(command.hint, command.marks)) : null,
      command.keys?.[0] ? h("kbd", null, keyLabel(command.keys[0])) : null)];
    }) : h("p.hint", null, "No results for “", text, "”."));
    choose(chosen);
    status.textContent = `${shown.length} results`;
  };

  // Beside the results, not among them: Enter is for what was found.
  const offer = (answer) => {
    completions = answer;
    offers.hidden = !answer.items.length;
    fill(offers, answer.items.map(({ label, hint }, index) => h("button.small", {
      type: "button", tabindex: "-1", title: hint, onClick: () => { take(index); field.focus(); },
    }, label, index ? null : h("kbd", null, "Tab"))));
  };

  const take = (index) => {
    const { text, caret } = completed(field.value, completions, completions.items[index]);
    field.value = text;
    field.setSelectionRange(caret, caret);
    field.dispatchEvent(new Event("input"));
  };

  const complete = async () => {
    const { value, selectionStart } = field;
    const { signal } = abort;
    try {
      const answer = value.trim() ? await completeAny(["issues", "sessions"], value, selectionStart ?? value.length, signal) : { items: [] };
      // At the end of a word that is done there is nothing to complete.
      const isWanted = answer.from !== answer.to || value.endsWith(":");
      if (!signal.aborted) offer({ ...answer, items: isWanted ? answer.items.slice(0, mostCompletions) : [] });
    } catch { /* the results are there without it */ }
  };

  const choose = (index, reveal = true) => {
    list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    chosen = index;
    const item = list.querySelector(`#palette-${index}`);
    item?.setAttribute("aria-selected", "true");
    if (reveal) item?.scrollIntoView({ block: "nearest" });
    if (item) field.setAttribute("aria-activedescendant", item.id);
    else field.removeAttribute("aria-activedescendant");
  };

  const run = (index) => {
    const command = shown[index];
    if (!command) return;
    dialog.close();
    command.run();
  };

  const ask = debounce(120, async () => {
    abort.abort();
    abort = new AbortController();
    const text = settled(field.value);
    complete();
    try {
      found = text.length < 2 ? [] : await find(text, abort.signal);
      draw();
    } catch { /* the commands are there; the page says what is wrong with the collector */ }
  });

  // What comes late joins the others, and the choice stays on what was chosen.
  onCommands(() => {
    const at = shown[chosen];
    known = offered();
    draw();
    const now = shown.findIndex(({ title, group }) => title === at?.title && group === at?.group);
    if (now >= 0) choose(now);
  }, open.signal);

  field.addEventListener("input", () => { chosen = 0; offer({ items: [] }); draw(); ask(); });
  field.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && shown.length) choose((chosen + by + shown.length) % shown.length);
    else if (event.key === "Enter" && !event.isComposing) run(chosen);
    else if (event.key === "Tab" && !event.shiftKey && completions.items.length) take(0);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    abort.abort();
    open.abort();
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  });
  draw();
  dialog.showModal();
  field.focus();
}
