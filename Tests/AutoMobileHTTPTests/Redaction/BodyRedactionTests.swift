import AutoMobileHTTP
import Foundation
import Testing

@Suite struct BodyRedactionTests {
  private let redaction = HTTPRedaction()

  private func redacted(_ text: String, _ type: String? = "application/json") -> String? {
    redacted(Data(text.utf8), type).map { String(decoding: $0, as: UTF8.self) }
  }

  private func redacted(_ bytes: Data, _ type: String?) -> Data? {
    redaction.redactedBody(HTTPBody(bytes: bytes, size: bytes.count), contentType: type).bytes
  }

  @Test(arguments: [
    (#"{"a":1,"password":"S3CRET","b":[true]}"#, #"{"a":1,"password":"REDACTED","b":[true]}"#),
    (#"{ "token" : { "a" : ["S3CRET"] } , "b":2 }"#, #"{ "token" : "REDACTED" , "b":2 }"#),
    (#"{"pin":S3}"#, nil),
    (#"{"pin":12345678}"#, #"{"pin":"REDACTED"}"#),
    (#"[{"a":{"b":{"secretKey":["S3CRET",{}]}}}]"#, #"[{"a":{"b":{"secretKey":"REDACTED"}}}]"#),
    (#"{"\u0070assword":"S3CRET"}"#, #"{"\u0070assword":"REDACTED"}"#),
    (#"{"pass\u200bword":"S3CRET"}"#, #"{"pass\u200bword":"REDACTED"}"#),
    (#"{"%70assword":"S3CRET"}"#, #"{"%70assword":"REDACTED"}"#),
    (#"{"x":"{\"password\":\"S3CRET\"}"}"#, #"{"x":"REDACTED"}"#),
    (#"{"x":"{\\\"password\\\":\\\"S3CRET\\\"}"}"#, #"{"x":"REDACTED"}"#),
    (#"{"x":"{\u0022password\u0022:1234}"}"#, #"{"x":"REDACTED"}"#),
    (#"{"url":"https://a/?access_token=S3CRET"}"#, #"{"url":"REDACTED"}"#),
    (#"{"password":"a\"S3CRET","b":1}"#, #"{"password":"REDACTED","b":1}"#),
    (#"{"password":"a\\","b":"c"}"#, #"{"password":"REDACTED","b":"c"}"#),
    (#"[{"name":"password","value":"S3CRET"}]"#, nil),
    (#"[{"value":"S3CRET","name":"password"}]"#, nil),
    (#"[{"name":"Joe","value":"3"}]"#, #"[{"name":"Joe","value":"3"}]"#),
    ("{\"a\":1}\n{\"token\":\"S3CRET\"}\n", "{\"a\":1}\n{\"token\":\"REDACTED\"}\n"),
    ("\u{FEFF}{\"token\":\"S3CRET\"}", "\u{FEFF}{\"token\":\"REDACTED\"}"),
    (
      #"{"headers":{"Authorization":"Bearer S3CRET","Cookie":"S3CRET"}}"#,
      #"{"headers":{"Authorization":"REDACTED","Cookie":"REDACTED"}}"#
    ),
    (#"{"shipping":"x","tax":"y"}"#, #"{"shipping":"x","tax":"y"}"#),
    ("{'password':'S3CRET'}", nil), ("{password:'S3CRET'}", nil), (")]}'\n{\"password\":\"S3CRET\"}", nil),
    (#"{"a":1}}"#, #"{"a":1}}"#), (#"{"\uZZZZ":"S3CRET"}"#, nil), (#"{"a":1,"password""S3CRET"}"#, nil),
  ])
  func `JSON keeps everything but its secrets`(json: String, expected: String?) {
    #expect(redacted(json) == expected)
    #expect(redacted(json, "text/plain")?.contains("S3CRET") != true)
    #expect(redacted(json, nil)?.contains("S3CRET") != true)
  }

  @Test func `JSON that was cut anywhere holds no secret`() {
    let json =
      #"{"a":"b\u00e9","password":"S3CRET-S3CRET","n":{"tokens":["S3CRET",{"x":"S3CRET"}]},"#
      + #""q":"{\"pin\":\"S3CRET\"}","p\u0069n":1234567,"e":"x%26token%3DS3CRET","z":[1,2,{"a":null}]}"#
    let bytes = Data(json.utf8)
    for length in 0...bytes.count {
      let body = redaction.redactedBody(
        HTTPBody(bytes: bytes.prefix(length), size: bytes.count), contentType: "application/json")
      let text = body.text ?? ""
      #expect(!text.contains("S3C") && !text.contains("123"), "cut after \(length) bytes: \(text)")
      #expect(length == bytes.count || body.isTruncated)
      #expect(body.bytes != nil, "it was understood")
    }
  }

  @Test func `a complete body is not taken for a truncated one when its secret was longer than the mark`() throws {
    let json = Data((#"{"password":"# + "\"" + String(repeating: "S", count: 500) + "\"}").utf8)
    let body = redaction.redactedBody(HTTPBody(bytes: json, size: json.count), contentType: "application/json")
    #expect(!body.isTruncated && body.size == json.count)
    var exchange = HTTPExchange(id: "1", startedAt: 0, method: "GET", url: "u")
    exchange.responseBody = body
    let again = try JSONDecoder().decode(HTTPExchange.self, from: JSONEncoder().encode(exchange))
    #expect(again == exchange && again.responseBody?.isTruncated == false)
  }

  @Test func `a truncated body stays one when the mark is longer than its secret`() {
    let body = redaction.redactedBody(
      HTTPBody(bytes: Data(#"{"pin":"1"#.utf8), size: 11), contentType: "application/json")
    #expect(body.isTruncated && body.text == #"{"pin":"REDACTED""#)
  }

  @Test(arguments: [1000, 100_000]) func `hostile nesting costs neither the stack nor a secret`(depth: Int) {
    let json = String(repeating: #"[{"a":"#, count: depth) + #"{"password":"S3CRET"}"#
    #expect(redacted(json) == nil)
    #expect(redacted(String(repeating: "[", count: depth)) != nil, "there is nothing to hide")
  }

  @Test func `large bodies take time in proportion`() {
    let pairs = (0..<20_000).map { "\"name\($0)\":\"a=b&c: <d> \\\"e\\\" %20\"" }.joined(separator: ",")
    #expect(redacted("{\(pairs)}") == "{\(pairs)}")
    let blanks = String(repeating: " ", count: 500_000)
    #expect(redacted("password\(blanks)=\(blanks)S3CRET", "text/plain") == nil)
    _ = redacted(String(repeating: "<a:=", count: 100_000), "text/html")
    _ = redacted(String(repeating: "%25", count: 100_000), "text/plain")
  }

  @Test(arguments: [
    ("a=1&password=S3CRET&b=2", "a=1&password=REDACTED&b=2"), ("user%5Bpin%5D=S3CRET", "user%5Bpin%5D=REDACTED"),
    ("p%61ssword=S3CRET", "p%61ssword=REDACTED"), ("a=x%26token%3DS3CRET", "a=REDACTED"),
    ("pass+word=S3CRET", "pass+word=REDACTED"),
    ("a=1&passw", "a=1&passw"),
  ])
  func `a form keeps everything but its secrets`(form: String, expected: String) {
    #expect(redacted(form, "application/x-www-form-urlencoded; charset=utf-8") == expected)
  }

  @Test func `bodies that cannot be looked into are left out, and their size stays`() {
    let gzip = Data([0x1F, 0x8B, 8, 0])
    #expect(redacted(gzip, "application/json") == nil)
    let encoded = redaction.redactedBody(
      HTTPBody(bytes: Data("xyz".utf8), size: 3), contentType: nil, contentEncoding: "br")
    #expect(encoded == HTTPBody(bytes: nil, size: 3))
    let utf16 = #"{"password":"S3CRET"}"#.data(using: .utf16LittleEndian)
    #expect(redacted(utf16 ?? Data(), "application/json") == nil)
    #expect(redacted(utf16 ?? Data(), "text/plain; charset=utf-16") == nil)
    #expect(
      redacted(Data([0x0A, 0x08]) + Data("password".utf8) + Data([0x12, 0xFF]), "application/x-protobuf") == nil)
    let part = "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nS3CRET\r\n--x--"
    #expect(redacted(part, "multipart/form-data; boundary=x") == nil)
    #expect(redacted("data: {\"token\":\"S3CRET\"}\n\n", "text/event-stream") == nil)
  }

  @Test func `bodies without secrets stay as they are, byte by byte`() {
    let image = Data([0xFF, 0xD8, 0xFF, 0xE0] + (0..<200).map { UInt8($0) })
    #expect(redacted(image, "image/jpeg") == image)
    #expect(redacted("<p>Your order is on its way.</p>", "text/html") == "<p>Your order is on its way.</p>")
    #expect(redacted("plain", "application/json") == "plain")
    #expect(redacted("", nil) == "")
  }

  @Test func `a GraphQL document may declare variables that are called like secrets`() {
    let query = #"{"query":"mutation Login($name: String!, $password: String!) { login(password: $password) { id } }"}"#
    #expect(redacted(query) == query)
    let literal = #"{"query":"mutation { login(password: \"S3CRET\") { id } }"}"#
    #expect(redacted(literal) == #"{"query":"REDACTED"}"#)
    let standard = #"{"query":"query A($password: String = \"S3CRET\") { a }"}"#
    #expect(redacted(standard) == #"{"query":"REDACTED"}"#)
    #expect(redacted(#"{"note":"mutation password: $S3CRET"}"#) == #"{"note":"REDACTED"}"#)
  }
}
