// Times along the top of the tracks.

import { offset } from "../base/format.js";

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000];

/** Times, a fitting distance apart, as they are written. */
export function ticks(from, to, start, width) {
  const least = ((to - from) / width) * 84;
  const step = steps.find((one) => one >= least) ?? Math.ceil(least / 86_400_000) * 86_400_000;
  const found = [];
  for (let time = Math.ceil((from - start) / step) * step; time <= to - start && found.length < 100; time += step) {
    const label = offset(time);
    found.push({ time: start + time, label: step >= 1000 ? label.replace(/\.\d+$/, "") : label });
  }
  return found;
}
