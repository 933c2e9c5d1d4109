// Of a session that was opened from a file: when, and where the file came from.

import { day, timeOfDayShort, valid, when } from "../base/format.js";

/** @param {{at: number, exportedAt: number|null, collector: string|null}} imported  as the collector tells it */
export function originOf({ at, exportedAt, collector }) {
  const saved = [valid(exportedAt) ? `${day(exportedAt)} ${timeOfDayShort(exportedAt)}` : "", collector ? `by collector ${collector}` : ""].filter(Boolean).join(" ");
  return [`Opened from a file ${when(at)}`, saved ? `saved ${saved}` : ""].filter(Boolean).join(", ");
}
