// The ways to look at a session's events: all, the log, the requests, what went wrong.

export const tabs = [
  { name: "", title: "Events", types: null },
  { name: "log", title: "Log", types: ["log"] },
  { name: "network", title: "Network", types: ["network_request", "websocket_frame"], hasBars: true },
  { name: "errors", title: "Errors", types: null, severity: 4 },
];

export const severities = [[0, "All levels"], [2, "Info and up"], [3, "Warnings and up"], [4, "Errors"]];

/**
 * The places in the outline that pass; null: all.
 *
 * @param {{tab: object, types: Set<string>, severity: number, found: Set<number>|null, hidden: Set<number>}} filter  `found`: ids that a search
 *   brought; `hidden`: ids of what another event tells as well
 */
export function choose(outline, { tab, types, severity, found, hidden }) {
  const least = Math.max(severity, tab.severity ?? 0);
  const wanted = tab.types ?? (types.size ? [...types] : null);
  if (!wanted && !found && !least && !hidden.size) return null;
  const passes = outline.typeNames.map((name) => !wanted || wanted.includes(name));
  const span = hidden.size ? outline.typeNames.indexOf("span") : -1;
  const chosen = new Int32Array(outline.length);
  let length = 0;
  for (let index = 0; index < outline.length; index++) {
    if (!passes[outline.types[index]] || outline.severities[index] < least || (found && !found.has(outline.ids[index]))) continue;
    if (outline.types[index] === span && hidden.has(outline.ids[index])) continue;
    chosen[length++] = index;
  }
  return chosen.subarray(0, length);
}
