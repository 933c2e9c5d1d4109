import Foundation
import TestTools
import Testing

@testable import AutoMobileHTTP
@testable import AutoMobileHTTPExport

@Suite struct PrettyBodyTests {
  private func pretty(_ text: String, _ type: String?, size: Int? = nil, limit: Int = 1 << 20) -> PrettyBody {
    let bytes = Data(text.utf8)
    return PrettyBody(
      HTTPBody(bytes: bytes, size: size ?? bytes.count), type: type.map { MediaType($0) }, limit: limit)
  }

  @Test func `JSON is set out in lines`() {
    let body = pretty(#"{"a":[1,{},[],{"b":null}],"c":"x\"y, é"}"#, "application/json")
    #expect(body.kind == .json && body.remark == nil)
    #expect(
      body.text == #"""
        {
          "a": [
            1,
            {},
            [],
            {
              "b": null
            }
          ],
          "c": "x\"y, é"
        }
        """#)
  }

  @Test(arguments: [
    #"{"a":1,"b":[tr"#, #"{"a":1,"b":["te"#, #"{"a":1,"b":"#, #"{"a":1,"b"#, #"{"a":1,"#,
  ])
  func `JSON that was cut off is set out up to there`(text: String) {
    let body = pretty(text, "application/problem+json", size: 40_000)
    #expect(body.kind == .json && body.text.hasPrefix("{\n  \"a\": 1"))
    #expect(body.remark == "Truncated: the first \(text.utf8.count) bytes of 40 KB were captured.")
  }

  @Test(arguments: [
    ("{\"a\":}", "application/json"), ("{\"a\":1", "application/json"), ("[\"a", "application/json"),
    ("{]", "application/json"), ("plain", "application/json"),
    ("<a><b></a>", "text/xml"), ("<p>one<br>two</p>", "application/xml"), ("text only", "text/xml"), ("<a", "text/xml"),
    ("<html><br></html>", "text/html"),
  ])
  func `what is not what its type says is kept as it is`(text: String, type: String) {
    let body = pretty(text, type)
    #expect(body.kind == .text && body.text == text)
  }

  @Test func `XML is set out in lines`() {
    let text = #"<?xml version="1.0"?><a x="1>2"><!-- c --><b>text</b><c/><d><![CDATA[<]]></d><e></e></a>"#
    let body = pretty(text, "application/soap+xml")
    #expect(body.kind == .xml)
    #expect(
      body.text == #"""
        <?xml version="1.0"?>
        <a x="1>2">
          <!-- c -->
          <b>text</b>
          <c/>
          <d><![CDATA[<]]></d>
          <e></e>
        </a>
        """#)
    #expect(pretty("<a><b>te", "text/xml", size: 100).text == "<a>\n  <b>te")
    #expect(pretty("<a><b attribute='", "text/xml", size: 100).kind == .xml)
  }

  @Test func `a form is a list, and binary is a dump`() {
    #expect(pretty("a=1+2&b=%C3%A9&c", "application/x-www-form-urlencoded").text == "a = 1 2\nb = é\nc = ")
    let bytes = Data([0xFF, 0x41] + [UInt8](repeating: 0, count: 300))
    let binary = PrettyBody(HTTPBody(bytes: bytes, size: 302), type: MediaType("image/png"))
    #expect(binary.kind == .image && binary.remark == "Only the first 256 bytes are shown.")
    #expect(binary.text.hasPrefix("0000  ff 41 00 00 00 00 00 00 00 00 00 00 00 00 00 00  .A..............\n0010  00"))
    let latin = PrettyBody(HTTPBody(bytes: Data([0xE9]), size: 1), type: MediaType("text/plain; charset=ISO-8859-1"))
    #expect(latin.kind == .text && latin.text == "é")
    #expect(PrettyBody(nil, type: nil).kind == .none)
    #expect(PrettyBody(HTTPBody(bytes: nil, size: 1500), type: nil).remark == "The body of 1.5 KB was not captured.")
  }

  @Test(arguments: ["[", "{\"a\":", "<a>", "<a b=\"", "<!--", "<![CDATA[", "<!DOCTYPE [", "%", "&", "\""])
  func `text made to waste time or memory does neither`(piece: String) {
    let hostile = String(repeating: piece, count: (64 << 10) / piece.utf8.count)
    for type in ["application/json", "text/xml", "application/x-www-form-urlencoded"] {
      for size in [nil, Int.max] {
        let body = pretty(hostile, type, size: size, limit: 10_000)
        #expect(body.text.utf8.count <= 10_003, "\(type)")
      }
    }
  }

  @Test func `random changes to good bodies break nothing`() {
    let seed: UInt64 = 7
    var random = SeededRandom(seed)
    let good = [
      #"{"a":[1,2.5e3,true,null,{"b":"cA"}],"d":{}}"#, #"<a x='1'><b>t</b><c/><!-- x --><![CDATA[y]]></a>"#,
    ].map { Array($0.utf8) }
    for _ in 0..<5000 {
      var bytes = good.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 32...126, using: &random)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      for type in ["application/json", "text/xml"] {
        let body = pretty(text, type)
        // Only blanks come and go.
        if body.kind == .json || body.kind == .xml {
          let before = text.filter { $0 != " " }
          #expect(body.text.filter { $0 != " " && $0 != "\n" } == before, "seed \(seed): \(text)")
        } else {
          #expect(body.text == text)
        }
      }
    }
  }
}
