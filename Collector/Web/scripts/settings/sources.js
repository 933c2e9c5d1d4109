// How a frame's file is opened: a link for each app.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { send } from "../base/send.js";
import { confirmed, emptying, field, section, text } from "./parts.js";

const forge = (rest) => `https:${"//"}${rest}`;
const presets = [
  ["VS Code", "vscode://file/{path}:{line}:{column}"], ["Cursor", "cursor://file/{path}:{line}:{column}"], ["Zed", "zed://file/{path}:{line}"],
  ["IntelliJ", "idea://open?file={path}&line={line}"],
  ["GitHub", forge("github.com/OWNER/REPOSITORY/blob/{commit}/{path}#L{line}")],
  ["GitLab", forge("gitlab.com/GROUP/PROJECT/-/blob/{commit}/{path}#L{line}")],
];

export class SourceSection {
  element;
  #list = h("div");
  #tell;
  #app = text({ required: true, maxLength: 200, placeholder: "com.example.shop, or *", list: "source-apps" });
  #link = text({ required: true, maxLength: 500, placeholder: "vscode://file/{path}:{line}" });
  #root = text({ maxLength: 500, placeholder: "/Users/ci/shop" });
  #apps = h("datalist", { id: "source-apps" });

  constructor(tell) {
    this.#tell = tell;
    const preset = h("select", { onChange: () => {
      if (preset.value) this.#link.value = preset.value;
      preset.value = "";
      this.#link.focus();
    } }, h("option", { value: "" }, "Fill in…"), presets.map(([name, link]) => h("option", { value: link }, name)));
    this.element = section("sources", "Source links",
      "What opens when a frame's file is clicked. The link can contain {path}, {line}, {column} and {commit}; the commit is given with “automobile symbols add --commit”, or with the tag “commit”.",
      this.#list,
      h("form.source-form", { onSubmit: (event) => { event.preventDefault(); this.#save(); } },
        field("App", this.#app), this.#apps, field("Editor or Git host", preset),
        h("label.setting.wide", null, h("span", null, "Link"), this.#link),
        h("label.setting.wide", null, h("span", null, "Build directory to leave out of {path}"), this.#root),
        h("button.small.primary", null, "Save link")));
  }

  async show({ apps }) {
    const { sources } = await api.get("settings/sources");
    fill(this.#apps, apps.map(({ bundleId }) => h("option", { value: bundleId })));
    fill(this.#list, sources.length ? h("ul.source-links", null, sources.map((source) => this.#row(source))) : h("p.faint", null, "None yet."));
  }

  #row({ app, link, root }) {
    const name = app === "*" ? "All other apps" : app;
    return h("li", null, h("b", null, name), h("code", null, link), root ? h("span.faint", null, "without ", h("code", null, root)) : null, h("span.spring"),
      h("button.small", { type: "button", aria: { label: `Edit the link of ${name}` }, onClick: () => {
        this.#app.value = app;
        this.#link.value = link;
        this.#root.value = root ?? "";
        this.#link.focus();
      } }, "Edit"),
      confirmed("Remove", `Frames of ${name} will not open their source.`, () => this.#tell(send("PUT", "settings/sources", { app, link: null }), `The link of ${name} was removed.`), { aria: { label: `Remove the link of ${name}` } }));
  }

  async #save() {
    const app = this.#app.value.trim();
    const empty = emptying(this.#app, this.#link, this.#root);
    const saved = await this.#tell(send("PUT", "settings/sources", { app, link: this.#link.value.trim(), root: this.#root.value.trim() || null }), `Frames of ${app} open with this link.`);
    if (saved) empty();
  }
}
