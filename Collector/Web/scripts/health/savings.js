// What devices keep instead of sending it.

import { h } from "../base/dom.js";
import { bytes, count, day } from "../base/format.js";
import { fact, numbers, rate, section } from "./parts.js";

/** @param {object|null} all  null: not known yet  */
export function savings(all, { isAlone }) {
  // Where everything is sent there is nothing to say.
  if (!all?.keptEvents) return null;
  return section("savings", "Bytes saved", "How much stays on devices instead of being sent?",
    h("dl.figures", null,
      fact("Saved", bytes(all.savedBytes), rate(all.savedBytes, all.savedBytes + all.sentBytes)),
      fact("Sent", bytes(all.sentBytes), `${count(all.sentEvents)} events`), fact("Kept", `${count(all.keptEvents)} events`, `${bytes(all.keptBytes)} of room on devices`)),
    h("p.faint", null, "An estimate: kept events count with the average size of those that were sent."),
    numbers("Bytes saved by app and week", all.weeks, [
      { name: "Week", cell: (row) => isAlone || !row.bundleId ? day(row.week) : `${day(row.week)}, ${row.bundleId}` },
      { name: "Saved", n: true, cell: (row) => bytes(row.savedBytes) },
      { name: "Sent", n: true, cell: (row) => bytes(row.sentBytes) },
      { name: "Kept events", n: true, cell: (row) => count(row.keptEvents) },
    ]));
}
