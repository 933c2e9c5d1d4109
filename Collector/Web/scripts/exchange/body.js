// A body: set out, searched, copied, saved; a picture as a picture.

import { copyFrom, debounce, fill, h } from "../base/dom.js";
import { bytes } from "../base/format.js";
import { icon } from "../base/icons.js";
import { highlighted } from "../detail/json.js";
import { Finder } from "./finder.js";
import { fromBase64, hexadecimal, longest, prettyJSON, prettyXML } from "./pretty.js";

const pictures = /^image\/(png|jpe?g|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
const hexBytes = 8192;

/**
 * @param {{text: string|undefined, size: number|undefined, encoding: string|undefined, type: string, name: string, stayed: boolean}} body
 *   `name`: of the file to save; `stayed`: the rule that sent the event leaves bodies out
 */
export function bodyView({ text, size, encoding, type, name, stayed }) {
  if (typeof text !== "string" || text === "") {
    if (stayed) return h("p.hint.body-hint", null, `${size > 0 ? `${bytes(size)}, not` : "Not"} sent: the rule leaves bodies on the device.`);
    if (!(size > 0)) return null;
    return h("p.hint.body-hint", null, `${bytes(size)}, not captured.`);
  }
  const media = type.split(";")[0].trim().toLowerCase();
  const binary = encoding === "base64" ? fromBase64(text) : null;
  const captured = binary?.length ?? new TextEncoder().encode(text).length;
  const cut = size > captured ? h("p.hint.body-hint", null, `The first ${bytes(captured)} of ${bytes(size)} were captured.`) : null;
  if (pictures.test(media) && (binary || media === "image/svg+xml")) return [picture(media, text, binary), cut];

  const plain = binary ? hexadecimal(binary.slice(0, hexBytes)) : text;
  const pretty = binary || text.length > longest ? null : setOut(media, text);
  const surface = h("div.body-text");
  const finder = new Finder(surface);
  let isPretty = pretty !== null;
  const draw = () => {
    fill(surface, isPretty ? pretty() : h("pre.text", { tabIndex: 0 }, plain));
    toggle.setAttribute("aria-pressed", String(!isPretty));
    finder.find(field.value);
  };
  const field = h("input", {
    type: "search", placeholder: "Find in body", autocomplete: "off", spellcheck: false, aria: { label: "Find in this body" },
    onInput: debounce(60, () => finder.find(field.value)),
    onKeydown: (event) => {
      if (event.key === "Enter") finder.step(event.shiftKey ? -1 : 1);
      if (event.key === "Escape" && field.value) { event.stopPropagation(); field.value = ""; finder.find(""); }
    },
  });
  const toggle = h("button.small", { type: "button", hidden: !pretty, onClick: () => { isPretty = !isPretty; draw(); } }, "Raw");
  const copy = h("button.small", { type: "button", onClick: () => copyFrom(copy, text) }, "Copy");
  const save = h("button.small", { type: "button", onClick: () => download(binary ?? text, media, name) }, "Save");
  const bar = h("div.body-bar", null,
    h("label.field", null, icon("search"), field, finder.count), h("span.spring"), toggle, binary ? null : copy, save);
  draw();
  return [bar, surface, cut];
}

/** How a text of this type is set out; null: as it is. */
function setOut(media, text) {
  const start = text.trimStart()[0];
  if (/json/.test(media) || ((start === "{" || start === "[") && !/xml|html|form|javascript|css/.test(media))) {
    return () => highlighted(prettyJSON(text));
  }
  if (/xml|html/.test(media) || (start === "<" && !media)) return () => h("pre.text", { tabIndex: 0 }, prettyXML(text, /html/.test(media)));
  if (media === "application/x-www-form-urlencoded") {
    return () => h("dl.pairs.form", null, [...new URLSearchParams(text)].map(([key, value]) => [h("dt", null, key), h("dd", null, value)]));
  }
  return null;
}

function picture(media, text, binary) {
  const source = binary ? `data:${media};base64,${text}` : `data:${media},${encodeURIComponent(text)}`;
  const size = h("figcaption", null, media);
  const image = h("img", {
    alt: "The body as an image", src: source,
    onLoad: () => { size.textContent = `${media} · ${image.naturalWidth} × ${image.naturalHeight}`; },
    onError: () => { size.textContent = `${media}, which cannot be shown: it is incomplete or damaged`; image.remove(); },
  });
  return h("figure.picture", null, image, size);
}

function download(content, media, name) {
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
