// What any page can do that has something to step through, by the same keys everywhere.

/** @param {import("../pages.js").View|null} view */
export function viewCommands(view, panel) {
  if (!view) return [];
  const group = "This page";
  const list = [];
  const add = (method, title, keys, run, more = {}) => { if (view[method]) list.push({ title, group, keys, run, palette: false, ...more }); };
  add("step", "Next", ["j", "ArrowDown"], () => view.step(1));
  add("step", "Previous", ["k", "ArrowUp"], () => view.step(-1));
  add("edge", "First", ["g", "Home"], () => view.edge(false));
  add("edge", "Last", ["G", "End"], () => view.edge(true));
  add("nextError", "Next error", ["e"], () => view.nextError(), { palette: true });
  add("previousError", "Previous error", ["E"], () => view.previousError(), { palette: true });
  add("focusFilter", "Search", ["/"], () => view.focusFilter(), { palette: true });
  add("select", "Open selection", ["Enter"], () => { if (!panel.open) view.step?.(1); });
  add("select", "Close", ["Escape"], () => view.select(null));
  const copy = document.querySelector("[data-action=copy]");
  if (copy) list.push({ title: "Copy as JSON or text", group, keys: ["c"], run: () => copy.click() });
  return list;
}
