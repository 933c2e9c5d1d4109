// Numbers, times and sizes as people read them.

const grouped = new Intl.NumberFormat("en", { useGrouping: true });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
const shortClock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
const dayAndMonth = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const fullDay = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });

// A narrow no-break space groups digits in every locale alike.
export const count = (n) => grouped.format(n).replaceAll(",", "\u202f");

export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

export const timeOfDay = (ms) => valid(ms) ? clock.format(ms) : "–";
export const timeOfDayShort = (ms) => valid(ms) ? shortClock.format(ms) : "–";
export const preciseTime = (ms) => valid(ms) ? exact(Math.round(ms)) : "–";
const exact = (ms) => `${clock.format(ms)}.${String(((ms % 1000) + 1000) % 1000).padStart(3, "0")}`;
export const day = (ms) => valid(ms) ? fullDay.format(ms) : "Unknown day";

/** Dates beyond what a Date can hold come from broken clocks; they must not break the page. */
export function valid(ms) {
  return typeof ms === "number" && Math.abs(ms) <= 8.64e15;
}

/** "Today", "Yesterday" or the date. */
export function dayName(ms, now = Date.now()) {
  if (!valid(ms)) return "Unknown day";
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (ms >= midnight && ms < midnight + 86_400_000) return "Today";
  if (ms >= midnight - 86_400_000 && ms < midnight) return "Yesterday";
  return dayAndMonth.format(ms);
}

/** How long ago, as short as it can be: "now", "40 s", "12 min", "3 h"; then the time of day. */
export function ago(ms, now = Date.now()) {
  const seconds = Math.round((now - ms) / 1000);
  if (seconds < 0) return timeOfDayShort(ms);
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 6 * 3600) return `${Math.floor(seconds / 3600)} h ago`;
  return timeOfDayShort(ms);
}

/** When it was, as short as it can be without being mistaken for another day. */
export function when(ms, now = Date.now()) {
  const name = dayName(ms, now);
  return name === "Today" || now - ms < 6 * 3_600_000 ? ago(ms, now) : name;
}

/** A length of time in at most two units: "340 ms", "2.5 s", "3 min 20 s". */
export function duration(ms) {
  if (!Number.isFinite(ms) || ms < 0) return "–";
  if (ms < 1) return ms === 0 ? "0 ms" : `${ms.toFixed(2)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return pair(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return pair(Math.floor(minutes / 60), "h", minutes % 60, "min");
  return pair(Math.floor(minutes / 1440), "d", Math.floor((minutes % 1440) / 60), "h");
}

const pair = (a, unitA, b, unitB) => b ? `${a} ${unitA} ${b} ${unitB}` : `${a} ${unitA}`;

/** The place in a session: "0:07.412", "12:40.003", "1:02:03.004". */
export function offset(ms) {
  const sign = ms < 0 ? "−" : "";
  const total = Math.abs(Math.round(ms));
  const two = (n) => String(n).padStart(2, "0");
  const seconds = Math.floor(total / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const tail = `${two(seconds % 60)}.${String(total % 1000).padStart(3, "0")}`;
  return hours ? `${sign}${hours}:${two(minutes)}:${tail}` : `${sign}${minutes}:${tail}`;
}

export function bytes(n) {
  if (!Number.isFinite(n)) return "–";
  if (n < 1000) return `${n} B`;
  if (n < 1_000_000) return `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)} kB`;
  return `${(n / 1_000_000).toFixed(1)} MB`;
}

/** "storage_changed" as words. */
export const words = (name) => {
  const text = String(name).replaceAll(/[_-]+/g, " ").replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").trim();
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
};

const zoneName = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" });

/** The zone in which times are shown, with its offset at a time: "Europe/Berlin, UTC+02:00". */
export function zone(ms = Date.now()) {
  // An offset lasts an hour at least, and a playhead asks with each frame.
  const hour = Math.floor(ms / 3_600_000);
  if (hour !== zoneHour) [zoneHour, zoneText] = [hour, zoneAt(ms)];
  return zoneText;
}

let zoneHour = NaN;
let zoneText = "";

function zoneAt(ms) {
  const { timeZone } = zoneName.resolvedOptions();
  const part = zoneName.formatToParts(valid(ms) ? ms : Date.now()).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const offsetName = part.replace("GMT", "UTC");
  return timeZone === "UTC" || !timeZone ? offsetName : `${timeZone}, ${offsetName === "UTC" ? "UTC+00:00" : offsetName}`;
}
