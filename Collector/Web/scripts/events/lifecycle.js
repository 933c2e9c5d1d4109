// What the system told the app, in words where the SDK's own members would be the only text.

import { endedName } from "../sessions/ended.js";

/** @returns {{title: string, detail: string}|null}  null: there is nothing better than the state's name */
export function state({ state: name, details }) {
  if (details === null || typeof details !== "object") return null;
  return Object.hasOwn(states, name) ? states[name](details) : null;
}

const networks = { wifi: "Wi-Fi", cellular: "Cellular", wired: "Ethernet", loopback: "Loopback" };
const isTrue = (value) => value === true || value === "true";

const states = {
  connectivity: ({ status, transport, isExpensive, isConstrained }) => status && status !== "satisfied" ? { title: "No network", detail: "" } : {
    title: `Network: ${networks[transport] ?? transport ?? "connected"}`,
    detail: [isTrue(isExpensive) ? "expensive" : null, isTrue(isConstrained) ? "low data mode" : null].filter(Boolean).join(" · "),
  },
  battery: ({ level, charging }) => Number.isFinite(parseFloat(level)) ? { title: `Battery: ${level} %`, detail: typeof charging === "string" ? charging : "" } : null,
  previous_launch_ended: ({ verdict, evidence }) => typeof verdict === "string"
    ? { title: `Previous launch: ${endedName(verdict).toLowerCase()}`, detail: typeof evidence === "string" ? evidence : "" } : null,
};
