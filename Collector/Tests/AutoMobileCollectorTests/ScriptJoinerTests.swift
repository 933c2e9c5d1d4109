import Testing

@testable import AutoMobileCollector

@Suite struct `Joined scripts` {
  private static func joined(_ modules: [String: String]) throws -> ScriptJoiner {
    try ScriptJoiner(modules, entry: "main.js")
  }

  @Test func `run in the order of their imports, each once, and keep their lines`() throws {
    let joined = try Self.joined([
      "main.js":
        "// Comment.\n\nimport { a, b as c } from \"./one/a.js\";\nimport * as t from \"./two.js\";\n\na(c, t.d);\n",
      "one/a.js": "import { d } from \"../two.js\";\nexport const a = () => d;\nexport async function b() {}\n",
      "two.js": "export class d {}\nexport function* e() {}\n",
      "unused.js": "nothing();\n",
    ])
    #expect(joined.paths == ["two.js", "one/a.js", "main.js"])
    #expect(
      joined.text == """
        const $0 = (() => { // two.js
        class d {}
        function* e() {}

        return { d, e }; })();
        const $1 = (() => { // one/a.js
        const { d } = $0;
        const a = () => d;
        async function b() {}

        return { a, b }; })();
        const $2 = (() => { // main.js


        const { a, b: c } = $1;
        const t = $0;

        a(c, t.d);

        return {  }; })();

        """)
    let origin = try #require(joined.origins[joined.lines.firstIndex(of: "a(c, t.d);") ?? 0])
    #expect(origin == (2, 5))
    #expect(joined.origins.count == joined.lines.count)
  }

  @Test func `take imports over several lines, and leave what stands in a text`() throws {
    let joined = try Self.joined([
      "main.js": "import {\n  a,\n} from \"./a.js\";\nshow(`\nimport Foundation\nexport KEY=1\n`);",
      "a.js": "export const a = 1;",
    ])
    #expect(joined.text.contains("\n\n\nconst {   a, } = $0;\nshow(`\nimport Foundation\nexport KEY=1\n`);\n"))
  }

  @Test(arguments: [
    ("import x from \"./a.js\";", "“import x from \"./a.js\";” is not understood"),
    ("import \"./a.js\";", "“import \"./a.js\";” is not understood"),
    (
      "import { x } from \"https://example.com/a.js\";",
      "“import { x } from \"https://example.com/a.js\";” is not understood"
    ),
    ("import { x }", "an import does not end"),
    ("import { x } from \"./b.js\";", "imports b.js, which is not there"),
    ("import { x } from \"../../../a.js\";\nimport { y } from \"./c.js\";", "imports main.js, which imports it"),
    ("export default 1;", "“export default” is not understood: export where it is declared"),
    ("const x = 1;\nexport { x };", "“export {” is not understood: export where it is declared"),
    ("export let x = 1;", "“export let” is not understood: export where it is declared"),
  ])
  func `are refused with a reason, where a module is written in another way`(text: String, reason: String) throws {
    let modules = ["main.js": text, "a.js": "export const x = 1;", "c.js": "import { z } from \"./main.js\";"]
    let problem = #expect(throws: ScriptJoiner.Problem.self) { try Self.joined(modules) }
    #expect(problem?.reason == reason)
  }

  @Test func `are found again line by line with a source map`() throws {
    let joined = try Self.joined([
      "main.js": "import { a } from \"./a.js\";\nb();", "a.js": "export const a = 1;\nc();",
    ])
    // Five lines of a.js with its frame, four of main.js: the third line of the result is the second of a.js.
    #expect(
      SourceMap.json(joined)
        == #"{"version":3,"sources":["a.js","main.js"],"names":[],"mappings":";AAAA;AACA;;;ACDA;AACA;"}"#)
  }
}
