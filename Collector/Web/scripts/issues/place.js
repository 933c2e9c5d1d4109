// #/issues?kinds=crash&q=text, #/issues/ID?event=…, #/reports/EVENT

import { list, withQuery } from "../base/place.js";

export const issuesPlace = {
  read(id, parameters) {
    const shared = { session: null, event: parameters.get("event"), text: parameters.get("q") ?? "" };
    return { ...shared, view: id ? "issue" : "issues", issue: id, kinds: list(parameters, "kinds"), version: parameters.get("version"),
      app: parameters.get("app") ?? "", status: parameters.get("status") ?? "", sort: parameters.get("sort") ?? "" };
  },
  write({ view, issue, event, kinds, version, app, status, sort, text }) {
    if (view === "issues") return withQuery("#/issues", { kinds, version, app, status, sort, q: text });
    return issue ? withQuery(`#/issues/${encodeURIComponent(issue)}`, { event }) : `#/reports/${encodeURIComponent(event)}`;
  },
};

export const reportPlace = {
  read: (id) => ({ view: "issue", issue: null, event: id, session: null, kinds: [], version: null, text: "" }),
};
