import Testing

@testable import AutoMobileCollector

@Suite struct `The host that a request names` {
  @Test(arguments: [
    ("localhost", "localhost", nil), ("LocalHost:8765", "localhost", 8765), ("127.0.0.1:0", "127.0.0.1", 0),
    ("collector_1.example.com:65535", "collector_1.example.com", 65535), ("[::1]", "::1", nil),
    ("[::1]:80", "::1", 80), ("[0:0:0:0:0:0:0:1]:80", "::1", 80), ("[2001:DB8::A]", "2001:db8::a", nil),
    ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1", nil),
  ])
  func `a host with or without a port is understood`(text: String, host: String, port: Int?) throws {
    let authority = try #require(Authority(text))
    #expect(authority.host == host)
    #expect(authority.port == port)
  }

  @Test(arguments: [
    "", ":80", "localhost:", "localhost:evil.com", "localhost:80evil", "localhost:80:80", "localhost:65536",
    "localhost:-1", "localhost:+1", "localhost: 80", "localhost:٨٠", "localhost@evil.com", "localhost,evil.com",
    "localhost evil.com", "localhost/evil.com", "localhost%00", "localhost%2eevil.com", "localhost\u{0}", "locaIhost\n",
    "lоcalhost", "::1", "[::1", "::1]", "[::1]evil.com", "[::1]:", "[::1]:x", "[::1%eth0]", "[::1%25eth0]",
    "[localhost]", "[127.0.0.1]", "[]", "[[::1]]", "[::1\u{0}]", "user:pass@localhost", "http://localhost",
  ])
  func `everything else is nothing`(text: String) { #expect(Authority(text) == nil) }

  @Test func `a very long host is nothing`() {
    #expect(Authority(String(repeating: "a", count: 256)) == nil)
    #expect(Authority(String(repeating: "a", count: 1 << 20)) == nil)
  }
}
