// Projects and their keys; keys of people.

import { copyFrom, fill, h } from "../base/dom.js";
import { count, dayName, plural, preciseTime, when } from "../base/format.js";
import { send } from "../base/send.js";
import { confirmed, emptying, field, section, text } from "./parts.js";

const forge = (rest) => `https:${"//"}${rest}`;
const roles = {
  viewer: ["Reads everything", "for people and programs that view sessions"],
  operator: ["Reads and changes everything", "for those who manage apps"],
};

export class KeySection {
  element;
  #list = h("div.projects");
  #people = h("div.people");
  #tell;

  constructor(tell) {
    this.#tell = tell;
    const name = text({ required: true, maxLength: 100, placeholder: "Coffee Shop", id: "project-name" });
    const bundle = text({ required: true, maxLength: 200, placeholder: "com.example.shop", pattern: "\\S+" });
    this.element = section("projects", "Projects and keys",
      "A project is an app. Its keys only deliver what the app records and cannot read, since every copy of the app contains them.",
      this.#list,
      h("form.inline", { onSubmit: async (event) => {
        event.preventDefault();
        const empty = emptying(name, bundle);
        const made = await tell(send("POST", "projects", { name: name.value, bundleId: bundle.value }), `The project “${name.value}” was added.`);
        if (made) empty();
      } }, field("New project", name), field("Bundle id", bundle), h("button.small.primary", null, "Add project")),
      this.#people);
  }

  show({ projects, keys }) {
    fill(this.#list, projects.length ? projects.map((project) => this.#project(project))
      : h("p.nothing", null, h("strong", null, "No projects yet."), " On this machine apps deliver without a key. Add a project to create one for its app."));
    fill(this.#people, h("h3", null, "Access keys"), this.#keys(keys),
      h("div.buttons", null, Object.entries(roles).map(([role, [what, whom]]) => h("button.small", {
        type: "button", title: `${what}, ${whom}`, onClick: () => this.#make({ role, name: role }, null),
      }, `New ${role} key`))));
  }

  #project(project) {
    const name = text({ value: project.name, maxLength: 100, aria: { label: `Name of the project ${project.name}` }, onChange: () => {
      if (name.value.trim()) this.#tell(send("PUT", `projects/${project.id}`, { name: name.value }), `The project is now called “${name.value}”.`);
      else name.value = project.name;
    } });
    return h("article.project", { aria: { label: project.name } },
      h("header", null, name, h("code", null, project.bundleId),
        h("span.faint", null, project.sessions ? `${plural(project.sessions, "session")}, last ${when(project.received)}` : "nothing received yet"),
        h("span.spring"),
        h("button.small", { type: "button", onClick: () => this.#make({ project: project.id, name: "app" }, project) }, "New key"),
        confirmed("Remove project", `The keys of “${project.name}” stop working. Its recordings are kept.`,
          () => this.#tell(send("DELETE", `projects/${project.id}`), `The project “${project.name}” was removed.`),
          { aria: { label: `Remove project ${project.name}` } })),
      this.#tracker(project), this.#keys(project.keys));
  }

  /** Where “Create there” on an issue's page leads. */
  #tracker(project) {
    const input = text({
      type: "url", value: project.tracker ?? "", maxLength: 1000, placeholder: forge("github.com/OWNER/REPOSITORY/issues/new?title={title}&body={url}"),
      title: "Can contain {title}, {subtitle}, {message}, {id}, {kind}, {app}, {version}, {count} and {url}", aria: { label: `Tracker of ${project.name}` },
      onChange: () => {
        const tracker = input.value.trim() || null;
        this.#tell(send("PUT", `projects/${project.id}`, { tracker }),
          tracker ? `Issues of “${project.name}” are created there.` : `The tracker of “${project.name}” was removed.`);
      },
    });
    return h("label.tracker", null, h("span", null, "New issues in the tracker"), input);
  }

  #keys(keys) {
    const shown = keys.filter((key) => key.good);
    const ended = keys.length - shown.length;
    if (!keys.length) return h("p.faint", null, "No keys.");
    return h("ul.keys-of", null, shown.map((key) => h("li", null,
      this.#name(key), h("code", null, `am_${key.role}_…${key.hint}`),
      h("span.faint", { title: preciseTime(key.createdAt) }, `created ${when(key.createdAt)}`),
      h("span.faint", null, key.lastUsedAt ? `used ${when(key.lastUsedAt)}` : "never used"),
      key.endsAt ? h("span.warn", null, `valid until ${dayName(key.endsAt)}`) : null, h("span.spring"),
      key.endsAt ? null : h("button.small", { type: "button", aria: { label: `Rotate the key ${key.name}` }, onClick: () => this.#rotate(key) }, "Rotate"),
      confirmed("Revoke", `The key “${key.name}” stops working at once. Apps keep what they record, and deliver it when they get another key.`,
        () => this.#tell(send("DELETE", `keys/${key.id}`), `The key “${key.name}” was revoked.`), { aria: { label: `Revoke the key ${key.name}` } }))),
    ended ? h("li.faint", null, `${count(ended)} revoked or expired`) : null);
  }

  #name(key) {
    const input = text({ value: key.name, maxLength: 100, aria: { label: `Name of the key ${key.hint}` }, onChange: () => {
      if (input.value.trim()) this.#tell(send("PUT", `keys/${key.id}`, { name: input.value }), `The key is now called “${input.value}”.`);
      else input.value = key.name;
    } });
    return input;
  }

  async #make(body, project) {
    const made = await this.#tell(send("POST", "keys", body), "The key was created.");
    if (made) showKey(made.key, project);
  }

  #rotate(key) {
    const days = h("input", { type: "number", min: 0, max: 365, value: 30, required: true });
    const dialog = document.body.appendChild(h("dialog", { aria: { label: "Rotate the key" } },
      h("form", { method: "dialog" }, h("h2", null, "Rotate the key"),
        h("p", null, "A new key with the same name is created. The old one stays valid for a while, since apps update slowly."),
        field("Keep the old key for", days, "days"),
        h("div.answers", null, h("button.small", { value: "", formNoValidate: true }, "Cancel"), h("button.small.primary", { value: "yes" }, "Create new key")))));
    dialog.addEventListener("close", async () => {
      dialog.remove();
      if (dialog.returnValue !== "yes") return;
      const made = await this.#tell(send("POST", `keys/${key.id}/rotate`, { graceDays: Number(days.value) }), `The key “${key.name}” was rotated.`);
      if (made) showKey(made.key, null);
    });
    dialog.showModal();
  }
}

/** The only moment at which a key can be read. */
function showKey(key, project) {
  const copy = h("button.small.primary", { type: "button", onClick: () => copyFrom(copy, key) }, "Copy");
  const dialog = document.body.appendChild(h("dialog.new-key", { aria: { label: "The new key" } },
    h("form", { method: "dialog" }, h("h2", null, "The new key"),
      h("p", null, "Shown only once: the collector keeps only its hash."),
      h("code.secret", { tabIndex: 0 }, key),
      project ? h("pre", { tabIndex: 0 }, `AutoMobileConfiguration(\n  endpoint: URL(string: "${location.origin}"),\n  apiKey: "${key}")`) : null,
      h("div.answers", null, copy, h("button.small", null, "Done")))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
