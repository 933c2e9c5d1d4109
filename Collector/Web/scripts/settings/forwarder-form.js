// The form for a new forwarder.

import { h } from "../base/dom.js";
import { field, text } from "./parts.js";

const levels = [["verbose", "all levels"], ["debug", "debug and above"], ["info", "info and above"], ["warning", "warnings and above"], ["error", "errors only"]];

/** @param add takes the forwarder; answers null when the collector refused it */
export function forwarderDialog(apps, add) {
  const part = {
    url: text({ type: "url", required: true, maxLength: 2000, placeholder: `https:${"//"}otlp.example.com` }), name: text({ maxLength: 80, placeholder: "the host" }),
    headers: h("textarea", { rows: 2, spellcheck: false, autocomplete: "off", placeholder: "Authorization: Bearer …" }),
    format: h("select", null, [["protobuf", "protobuf"], ["json", "JSON"]].map(([value, name]) => h("option", { value }, name))),
    level: h("select", null, levels.map(([value, name]) => h("option", { value }, name))), types: text({ placeholder: "all", maxLength: 1000 }),
    app: h("select", null, h("option", { value: "" }, "all apps"), apps.map(({ bundleId }) => bundleId).filter(Boolean).map((id) => h("option", { value: id }, id))),
    mostBehind: h("input", { type: "number", min: 1, step: 1, placeholder: "as much as the collector keeps" }), fromBeginning: h("input", { type: "checkbox" }),
  };
  const problem = h("p.error", { role: "alert" });
  const dialog = document.body.appendChild(h("dialog.alert-channel", { aria: { label: "New forwarder" } },
    h("form", { method: "dialog", onSubmit: async (event) => {
      if (event.submitter?.value === "") return;
      event.preventDefault();
      const made = body(part);
      if (typeof made === "string") return void (problem.textContent = made);
      if (await add(made)) dialog.close();
      else problem.textContent = document.querySelector(".settings .note")?.textContent ?? "";
    } },
      h("h2", null, "New forwarder"), h("div.channel-fields", null,
        h("p.faint", null, "The receiver's base URL: /v1/logs and /v1/traces are added."), field("URL", part.url), field("Name", part.name),
        field("Headers, each on a line; not shown again", part.headers),
        h("div.pair", null, field("Format", part.format), field("App", part.app)), h("div.pair", null, field("Level", part.level), field("Types, separated by commas", part.types)),
        field("At most this many events wait; older ones are left out", part.mostBehind), h("label.box", null, part.fromBeginning, "Also what is there already")),
      problem, h("div.answers", null, h("button.small", { value: "", formNoValidate: true }, "Cancel"), h("button.small.primary", { value: "yes" }, "Add forwarder")))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  part.url.focus();
}

/** What is sent; a text that says what is wrong. */
function body(part) {
  const made = { url: part.url.value.trim(), format: part.format.value, level: part.level.value, fromBeginning: part.fromBeginning.checked };
  const headers = {};
  for (const line of part.headers.value.split("\n").map((one) => one.trim()).filter(Boolean)) {
    const colon = line.indexOf(":");
    if (colon < 1) return "A header has no name: write it as “Authorization: Bearer …”.";
    headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  if (Object.keys(headers).length) made.headers = headers;
  if (part.name.value.trim()) made.name = part.name.value.trim();
  if (part.app.value) made.bundleId = part.app.value;
  if (part.mostBehind.value) made.mostBehind = Number(part.mostBehind.value);
  const types = part.types.value.split(",").map((one) => one.trim()).filter(Boolean);
  if (types.length) made.types = types;
  return made;
}
