// Who may talk to this collector: not set here but at its start, since who can reach it must be able to say who may.

import { fill, h } from "../base/dom.js";
import { setKey } from "../base/api.js";
import { section } from "./parts.js";

export class AccessSection {
  #text = h("div");
  element = section("access", "Who can reach it", null, this.#text);

  show({ settings: { access } }) {
    const code = (text) => h("code", null, text);
    fill(this.#text,
      access.loopback
        ? h("p", null, h("strong", null, "Only programs on this machine. "), access.asksForKeys ? "They must present a key." : "They need no key; web pages of other sites are refused. To let other machines in, start it with ", access.asksForKeys ? null : [code("--host 0.0.0.0 --key … --operator-key …"), "."])
        : h("p", null, h("strong", null, "Other machines. "), "Whoever delivers or reads must present a key. It speaks plain HTTP: put it behind a proxy that ends TLS."),
      h("p", null, access.operatorKey ? "Changes ask for an operator's key."
        : access.loopback ? "Whoever reaches it may change these settings." : ["It was started without ", code("--operator-key"), ": nobody may change anything until there is an operator's key."]),
      h("button.small", { type: "button", onClick: () => { setKey(null); location.reload(); } }, "Forget the key in this tab"));
  }
}
