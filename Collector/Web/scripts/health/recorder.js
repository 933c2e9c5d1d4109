// What the recorder itself lost, and why.

import { h } from "../base/dom.js";
import { count, plural, when } from "../base/format.js";
import { fact, nothing, numbers, rate, section, sessionLink, version, withOthers } from "./parts.js";

/** The reasons of the ledger, and what to do. */
const reasons = {
  disabled: ["Switched off", "The app called setEnabled(false), or a kill switch is on."],
  notInitialized: ["Before initialize", "The app recorded before it called initialize."],
  shutdown: ["After shutdown", "The app recorded after shutting the SDK down."],
  filtered: ["Filtered", "An event processor of the app took them out."],
  sampledOut: ["Sampled out", "Their sessions were not chosen: see sampling in Settings."],
  bufferOverflow: ["Too fast", "They came faster than segments could be prepared: record less in bursts."],
  evicted: ["No room in the journal", "The budget was used up before delivery: raise journalBudget, or deliver more often."],
  expired: ["Too old", "They could not be delivered within seven days."],
  diskFull: ["Disk full", "The device had too little room."],
  rejected: ["Refused", "A collector refused them: see the quarantine."],
  deliveryFailed: ["Not delivered", "Delivery gave up."],
  corrupt: ["Damaged", "Their bytes on the device's disk were damaged."],
  erased: ["Erased", "They waited when consent was denied, or the app called eraseAll()."],
  flushError: ["Not encoded", "They could not be encoded: look at the app's own event types."],
};

export function recorder({ recorder: all }, { isAlone }) {
  if (!all.recorded && !all.stored) {
    return section("recorder", "What the recorder lost", null, nothing("No launch has told its ledger in this time."));
  }
  const dropped = Object.entries(all.dropped).sort((a, b) => b[1] - a[1]);
  const sum = dropped.reduce((total, [, n]) => total + n, 0);
  const rows = dropped.map(([reason, n]) => ({ reason, n, about: Object.hasOwn(reasons, reason) ? reasons[reason] : [reason, "See Documentation/Ledger.md."] }));
  const lines = [
    ...rows.map(({ about, n }) => [about[0], about[1], n, "doubtful"]),
    all.torn ? ["Torn", "The process died while it was writing them: the call never returned.", all.torn, "other"] : null,
    all.quarantined ? ["Unreadable", "They arrived and could not be read: GET /api/quarantine shows them.", all.quarantined, "doubtful"] : null,
    all.lost ? ["Unaccounted for", "That is a bug of the recorder. Please report it with the output of: automobile doctor --json", all.lost, "bad"] : null,
  ].filter(Boolean);
  return section("recorder", "What the recorder lost", "Each event is stored here, or counted with a reason",
    h("dl.figures", null, fact("Recorded", count(all.recorded)), fact("Stored", count(all.stored)),
      fact("Dropped", count(sum), rate(sum, all.recorded), sum ? "warn" : ""), fact("Lost", count(all.lost), null, all.lost ? "error" : ""),
      fact("Open", plural(all.open, "launch", "launches"), "may still deliver"),
      all.expired ? fact("Deleted since", count(all.expired), "by retention") : null),
    lines.length ? h("ul.reasons", null, lines.map(([name, advice, n, tone]) => h("li", null,
      h("span.name", null, h(`i.dot.${tone}`), name), h("b.n", null, count(n)), h("span.faint", null, advice))))
      : nothing("Nothing was dropped, torn or lost."),
    all.worst.length ? [h("h3", null, "Launches that lost most"), h("ul.moments", null, all.worst.map((launch) => h("li", null,
      (launch.sessionId ? (...content) => sessionLink(launch.sessionId, null, ...content) : (...content) => h("span", null, content))(
        h("b", null, count(launch.dropped + launch.lost)), h("span.why", null, `launch ${launch.launchId.slice(0, 8)}`),
        h("time", null, when(launch.at))))))] : null,
    numbers("The ledgers by version", withOthers(all.versions, all.otherVersions), [
      { name: "Version", cell: (row) => version(row, isAlone) },
      { name: "Recorded", n: true, cell: (row) => count(row.recorded) },
      { name: "Stored", n: true, cell: (row) => count(row.stored) },
      { name: "Dropped", n: true, cell: (row) => count(Object.values(row.dropped).reduce((total, n) => total + n, 0)) },
      { name: "Lost", n: true, cell: (row) => count(row.lost) },
    ]));
}
