// Who may talk to this collector: not set here but at its start, since who can reach it must be able to say who may.

import { fill, h } from "../base/dom.js";
import { hasKey, setKey } from "../base/api.js";
import { section } from "./parts.js";

export class AccessSection {
  #text = h("div");
  element = section("access", "Network access", null, this.#text);

  show({ settings: { access } }) {
    const code = (text) => h("code", null, text);
    fill(this.#text,
      access.loopback
        ? h("p", null, h("strong", null, "This machine only. "), access.asksForKeys ? "A key is required." : "No key is required; requests from other web sites are refused. To allow other machines, start it with ", access.asksForKeys ? null : [code("--host 0.0.0.0 --ingest-key-file … --operator-key-file …"), "."])
        : h("p", null, h("strong", null, "Other machines. "), "A key is required to deliver and to read. It speaks plain HTTP: put it behind a proxy that terminates TLS."),
      h("p", null, access.operatorKey ? "Changes require an operator key."
        : access.loopback ? "Anyone who can reach it may change these settings." : ["It was started without ", code("--operator-key-file"), ": nothing can be changed until there is an operator key."]),
      !hasKey() ? null : h("button.small", { type: "button", onClick: () => { setKey(null); location.reload(); } }, "Forget the key in this tab"));
  }
}
