// The sessions beside the one that is open, in the order of the list that one came from.

import * as api from "../base/api.js";

let ids = [];

export function remember(sessions) {
  ids = sessions.map(({ sessionId }) => sessionId);
}

/** The session `by` places further down the list; null at its ends. */
export async function neighbour(id, by) {
  if (!ids.includes(id)) {
    const { sessions } = await api.get("sessions", { limit: 200 });
    remember(sessions);
  }
  return ids[ids.indexOf(id) + by] ?? null;
}
