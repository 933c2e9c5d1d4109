// What the SDK measures by itself and records as custom events, in words: launches and frames.

import { count, duration, plural, words } from "../base/format.js";

/** Numbers may come as texts. */
const number = (value) => value === null || value === undefined || value === "" ? NaN : Number(value);

/** @returns {{title: string, detail: string}|null}  null for the app's own events */
export function measured({ name, properties }) {
  if (properties === null || typeof properties !== "object") return null;
  if (name === "App Launch") return launch(properties);
  return name === "Frames" ? frames(properties) : null;
}

function launch({ totalMs, kind, ...parts }) {
  if (!Number.isFinite(number(totalMs))) return null;
  const part = (name, what) => Number.isFinite(number(parts[name])) ? `${duration(number(parts[name]))} ${what}` : null;
  return {
    title: `${typeof kind === "string" && kind ? `${words(kind)} launch` : "Launch"} in ${duration(number(totalMs))}`,
    detail: [part("preMainMs", "before main"), part("mainToInitializeMs", "to the SDK’s start"), part("initializeToFirstFrameMs", "to the first frame")]
      .filter(Boolean).join(" · "),
  };
}

function frames({ frames: all, frozen, slow, fps, worstMs, durationMs, screen }) {
  if (!Number.isFinite(number(all))) return null;
  const what = number(frozen) > 0 ? plural(number(frozen), "frozen frame") : number(slow) > 0 ? plural(number(slow), "slow frame") : "No slow frames";
  return {
    title: typeof screen === "string" && screen ? `${what} on ${screen}` : what,
    detail: [`${plural(number(all), "frame")}${Number.isFinite(number(durationMs)) ? ` in ${duration(number(durationMs))}` : ""}`,
      Number.isFinite(number(fps)) ? `${count(number(fps))} fps` : null, Number.isFinite(number(worstMs)) ? `worst ${duration(number(worstMs))}` : null]
      .filter(Boolean).join(" · "),
  };
}
