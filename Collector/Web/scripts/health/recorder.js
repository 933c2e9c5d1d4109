// What the recorder itself lost, and why.

import { h } from "../base/dom.js";
import { count, plural, when } from "../base/format.js";
import { fact, nothing, numbers, rate, section, sessionLink, version, withOthers } from "./parts.js";

/** The reasons of the ledger, and what to do. */
const reasons = {
  disabled: ["Switched off", "The app called setEnabled(false), or a kill switch is on."],
  notInitialized: ["Before initialize", "The app recorded before it called initialize."],
  shutdown: ["After shutdown", "The app recorded after shutting the SDK down."],
  filtered: ["Filtered", "Removed by an event processor in the app."],
  sampledOut: ["Sampled out", "Their sessions were not sampled: see Settings."],
  bufferOverflow: ["Too fast", "Recorded faster than the journal could grow: record less in bursts."],
  evicted: ["No room in the journal", "The budget was used up before delivery: raise journalBudget, or deliver more often."],
  expired: ["Too old", "They could not be delivered within seven days."],
  diskFull: ["Disk full", "The device was low on storage."],
  rejected: ["Refused", "A collector refused them: see the quarantine."],
  deliveryFailed: ["Not delivered", "Delivery gave up."],
  corrupt: ["Damaged", "Their data on the device was damaged."],
  erased: ["Erased", "Erased before delivery: consent was denied, or the app called eraseAll()."],
  flushError: ["Not encoded", "They could not be encoded: check the app's own event types."],
};

export function recorder({ recorder: all }, { isAlone }) {
  if (!all.recorded && !all.stored) {
    return section("recorder", "Data completeness", null, nothing("No launch has reported its counts in this period."));
  }
  const dropped = Object.entries(all.dropped).sort((a, b) => b[1] - a[1]);
  const sum = dropped.reduce((total, [, n]) => total + n, 0);
  const rows = dropped.map(([reason, n]) => ({ reason, n, about: Object.hasOwn(reasons, reason) ? reasons[reason] : [reason, "See Documentation/Ledger.md."] }));
  const resting = [all.kept ? "kept on its device" : "", all.agedOut ? "aged out there by its app's rules" : ""].filter(Boolean).join(", ");
  const lines = [
    ...rows.map(({ about, n }) => [about[0], about[1], n, "doubtful"]),
    all.torn ? ["Truncated", "The process died while writing them: the call never returned.", all.torn, "other"] : null,
    all.quarantined ? ["Unreadable", "Received but unreadable: GET /api/quarantine lists them.", all.quarantined, "doubtful"] : null,
    all.lost ? ["Unaccounted for", "This is a bug in the recorder. Please report it with the output of: automobile doctor --json", all.lost, "bad"] : null,
  ].filter(Boolean);
  return section("recorder", "Data completeness", `Every event is stored here, ${resting ? `${resting}, ` : ""}or counted with the reason it was dropped`,
    h("dl.figures", null, fact("Recorded", count(all.recorded)), fact("Stored", count(all.stored)),
      fact("Dropped", count(sum), rate(sum, all.recorded), sum ? "warn" : ""), fact("Lost", count(all.lost), null, all.lost ? "error" : ""),
      all.kept ? fact("On devices", count(all.kept), "not sent, and not lost") : null,
      all.agedOut ? fact("Aged out", count(all.agedOut), "on devices, by their apps' rules") : null,
      fact("Open", plural(all.open, "launch", "launches"), "may still deliver"),
      all.expired ? fact("Deleted since", count(all.expired), "by retention") : null),
    lines.length ? h("ul.reasons", null, lines.map(([name, advice, n, tone]) => h("li", null,
      h("span.name", null, h(`i.dot.${tone}`), name), h("b.n", null, count(n)), h("span.faint", null, advice))))
      : nothing("Nothing was dropped, truncated or lost."),
    all.worst.length ? [h("h3", null, "Launches with the most losses"), h("ul.moments", null, all.worst.map((launch) => h("li", null,
      (launch.sessionId ? (...content) => sessionLink(launch.sessionId, null, ...content) : (...content) => h("span", null, content))(
        h("b", null, count(launch.dropped + launch.lost)), h("span.why", null, `launch ${launch.launchId.slice(0, 8)}`),
        h("time", null, when(launch.at))))))] : null,
    numbers("Data completeness by version", withOthers(all.versions, all.otherVersions), [
      { name: "Version", cell: (row) => version(row, isAlone) },
      { name: "Recorded", n: true, cell: (row) => count(row.recorded) },
      { name: "Stored", n: true, cell: (row) => count(row.stored) },
      { name: "Dropped", n: true, cell: (row) => count(Object.values(row.dropped).reduce((total, n) => total + n, 0)) },
      { name: "Lost", n: true, cell: (row) => count(row.lost) },
    ]));
}
