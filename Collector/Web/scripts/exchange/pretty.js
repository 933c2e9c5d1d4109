// Bodies as people read them. Works on tokens, not on values: numbers keep their digits, and a body that was cut off is
// still set out as far as it goes.

/** Longer texts are shown as they came. */
export const longest = 300_000;

const jsonToken = /"(?:\\.|[^"\\])*"?|[{}[\],:]|[^\s{}[\],:"]+/g;
const deepest = 60;

/** JSON with a line for each member. */
export function prettyJSON(text) {
  let out = "";
  let depth = 0;
  let previous = "";
  const line = () => { out += `\n${"  ".repeat(Math.min(depth, deepest))}`; };
  for (const [token] of text.matchAll(jsonToken)) {
    if (token === "}" || token === "]") {
      depth = Math.max(depth - 1, 0);
      if (previous !== "{" && previous !== "[") line();
      out += token;
    } else {
      if (previous === "{" || previous === "[" || previous === ",") line();
      out += token === ":" ? ": " : token;
      if (token === "{" || token === "[") depth += 1;
    }
    previous = token;
  }
  return out;
}

const open = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);

/** XML or HTML with a line for each element; short text stays beside its tags. */
export function prettyXML(text, isHTML) {
  const lines = [];
  let depth = 0;
  let at = 0;
  const add = (part) => { if (part) lines.push("  ".repeat(Math.min(depth, deepest)) + part); };
  while (at < text.length) {
    const start = text.indexOf("<", at);
    if (start < 0) break;
    const words = text.slice(at, start).trim();
    const close = text.startsWith("<!--", start) ? "-->" : text.startsWith("<![CDATA[", start) ? "]]>" : ">";
    const found = text.indexOf(close, start);
    if (found < 0) { at = start; break; }
    const end = found + close.length;
    const tag = text.slice(start, end);
    at = end;
    if (tag.startsWith("</")) {
      depth = Math.max(depth - 1, 0);
      const last = lines.at(-1)?.trim() ?? "";
      // <name>text</name> on one line, if nothing came between.
      if (last.startsWith("<") && !last.startsWith("</") && !last.endsWith("/>") && !last.includes("</")
        && nameOf(last) === nameOf(tag) && words.length < 100) {
        lines[lines.length - 1] += words + tag;
      } else {
        depth += 1;
        add(words);
        depth -= 1;
        add(tag);
      }
      continue;
    }
    add(words);
    add(tag);
    const isOpen = !tag.endsWith("/>") && !tag.startsWith("<!") && !tag.startsWith("<?") && !(isHTML && open.has(nameOf(tag)));
    if (isOpen) depth += 1;
  }
  add(text.slice(at).trim());
  return lines.join("\n");
}

const nameOf = (tag) => (/^<\/?([^\s/>]+)/.exec(tag)?.[1] ?? "").toLowerCase();

/** Bytes in hexadecimal, sixteen a line, with what is readable beside them. */
export function hexadecimal(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const part = [...bytes.slice(at, at + 16)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47);
    const readable = part.map((byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·").join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${hex}  ${readable}`);
  }
  return lines.join("\n");
}

/** @returns {Uint8Array} nothing where it is no base64 */
export function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
