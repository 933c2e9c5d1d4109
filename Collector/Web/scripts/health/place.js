// #/health?app=…&version=…&days=30

import { withQuery } from "../base/place.js";

export const ranges = [["1", "24 h"], ["7", "7 days"], ["14", "14 days"], ["30", "30 days"], ["90", "90 days"]];

export const healthPlace = {
  read(id, parameters) {
    const days = parameters.get("days");
    return {
      view: "health", session: null, event: null, app: parameters.get("app") ?? "", version: parameters.get("version") ?? "",
      days: ranges.some(([value]) => value === days) ? days : "14",
    };
  },
  write: ({ app, version, days }) => withQuery("#/health", { app, version, days: days === "14" ? "" : days }),
};
