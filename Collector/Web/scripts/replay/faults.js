// What went wrong while the screen was recorded: crashes, hangs, failures and requests that failed, each at its moment.

import { singular } from "../events/types.js";

const kinds = new Set(["crash", "hang", "handled_exception", "network_request"]);
const titles = { network_request: "Failed request" };
const reach = 7;

/** In the order of time. @returns {{time: number, title: string, isWorst: boolean}[]}  isWorst: it took the app away, or held it up */
export function faultsOf(outline, recording) {
  const wanted = outline.typeNames.map((name) => kinds.has(name));
  const faults = recording.faults.map(({ time, title }) => ({ time, title, isWorst: true }));
  for (let at = 0; at < outline.length; at++) {
    if (!wanted[outline.types[at]]) continue;
    const type = outline.typeOf(at);
    if (type === "network_request" && !outline.isError(at)) continue;
    faults.push({ time: outline.times[at], title: titles[type] ?? singular(type), isWorst: type === "crash" || type === "hang" });
  }
  return faults.sort((a, b) => a.time - b.time);
}

/** The cluster that one points at. */
export const nearest = (clusters, x) => clusters.find((one) => Math.abs(one.x - x) <= reach) ?? null;
