import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Where the collector may connect to` {
  @Test(arguments: [
    "127.0.0.1", "127.255.0.9", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "100.64.0.1", "198.18.0.1",
    "169.254.169.254", "169.254.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "224.0.0.1", "240.0.0.1",
    "255.255.255.255",
    "::", "::1", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fdff::1", "fd00:ec2::254", "fd20:ce::254", "ff02::1",
    "100::1",
    // The same, written as IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP.
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::ffff:0:0", "::127.0.0.1", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a9fe:a9fe::1",
    "2001:0:a9fe:a9fe::1", "2001:0:0808:0808::80ff:fffe", "fe80::5efe:1.2.3.4", "2001:db8::5efe:127.0.0.1",
    "2001:db8::200:5efe:10.0.0.1",
  ])
  func `is no address that is not public, in no spelling`(text: String) throws {
    let address = try #require(EgressAddress(text))
    #expect(address.kind > .everybody)
    #expect(throws: EgressError.self) {
      try EgressPolicy.standard.address([address], of: "hooks.example.com", port: 443)
    }
    // One of several is enough.
    let good = try #require(EgressAddress("203.0.113.7"))
    #expect(throws: EgressError.self) {
      try EgressPolicy.standard.address([good, address], of: "hooks.example.com", port: 443)
    }
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1", "100.63.0.1", "100.128.0.1",
    "169.253.0.1", "2606:4700::1111", "2001:4860:4860::8888", "64:ff9b::808:808", "2002:808:808::1", "::ffff:8.8.8.8",
  ])
  func `is every public address`(text: String) throws {
    let address = try #require(EgressAddress(text))
    #expect(address.kind == .everybody)
    #expect(try EgressPolicy.standard.address([address], of: "hooks.example.com", port: 443) == address)
  }

  @Test(arguments: [
    ("10.1.2.3", "10.1.2.3", "x.example.com", 443, true), ("10.1.2.3", "10.1.2.4", "x.example.com", 443, false),
    ("10.1.2.3:443", "10.1.2.3", "x.example.com", 443, true),
    ("10.1.2.3:443", "10.1.2.3", "x.example.com", 80, false),
    ("10.1.0.0/16", "10.1.255.255", "x.example.com", 25, true),
    ("10.1.0.0/16", "10.2.0.0", "x.example.com", 25, false),
    ("10.1.0.0/20", "10.1.16.0", "x.example.com", 25, false), ("10.1.0.0/20", "10.1.15.9", "x.example.com", 25, true),
    ("fd12::/16", "fd12::9", "x.example.com", 25, true), ("[::1]:25", "::1", "localhost", 25, true),
    ("[::1]:25", "::1", "localhost", 26, false), ("::1", "::1", "localhost", 26, true),
    ("hooks.internal", "10.0.0.1", "hooks.internal", 443, true),
    ("hooks.internal:443", "10.0.0.1", "hooks.internal", 8443, false),
    ("hooks.internal", "10.0.0.1", "evil-hooks.internal", 443, false),
    ("*.corp.example", "10.0.0.1", "a.corp.example", 443, true),
    ("*.corp.example", "10.0.0.1", "corp.example", 443, false),
    ("*.corp.example", "10.0.0.1", "evilcorp.example", 443, false),
    // A name allows neither this machine nor what gives out credentials: whoever owns it can make it lead anywhere.
    ("hooks.internal", "127.0.0.1", "hooks.internal", 443, false),
    ("hooks.internal", "169.254.169.254", "hooks.internal", 443, false),
    ("localhost:9000", "127.0.0.1", "localhost", 9000, true), ("localhost:9000", "::1", "localhost", 9000, true),
    ("localhost:9000", "127.0.0.1", "localhost", 9001, false),
    ("localhost", "169.254.169.254", "localhost", 80, false),
    ("localhost", "127.0.0.1", "evil.example.com", 80, false),
    ("127.0.0.0/8", "127.0.0.1", "evil.example.com", 80, true),
    ("169.254.169.254", "169.254.169.254", "169.254.169.254", 80, true),
    ("127.0.0.0/8", "64:ff9b::7f00:1", "evil.example.com", 80, false),
    ("127.0.0.1", "::ffff:127.0.0.1", "evil.example.com", 80, true),
    ("224.0.0.0/8", "224.0.0.1", "x.example.com", 80, false),
  ])
  func `is what the operator named`(rule: String, address: String, host: String, port: Int, isAllowed: Bool) throws {
    let policy = try EgressPolicy([rule])
    let found = [try #require(EgressAddress(address))]
    #expect(((try? policy.address(found, of: host, port: port)) != nil) == isAllowed)
  }

  @Test(arguments: [
    "", "*", "*.com", "http://x", "x/y", "a b", "host:0", "host:99999", "host:x", "10.0.0.0/7", "0.0.0.0/0", "::/0",
    "10.0.0.0/33", "10.0.0/8", "*.10.0.0.1", "127.1", "127.0.0.1\0.example", "0x7f000001", "2130706433", "a..b", "[::1",
    "-:",
    String(repeating: "a", count: 300),
  ])
  func `a rule that means nothing, or everything, is refused`(rule: String) {
    #expect(throws: EgressPolicy.InvalidName.self) { try EgressPolicy([rule]) }
  }

  @Test func `a refusal says how to allow it`() throws {
    do {
      _ = try EgressPolicy.standard.address([try #require(EgressAddress("10.0.0.5"))], of: "hooks.internal", port: 443)
      Issue.record("it was allowed")
    } catch let error as EgressError {
      #expect("\(error)".contains("10.0.0.5") && "\(error)".contains("--allow-egress hooks.internal:443"))
      #expect(!error.isTemporary)
    }
    #expect(throws: EgressError.noAddress("gone.example.com has no address")) {
      try EgressPolicy.standard.address([], of: "gone.example.com", port: 443)
    }
    #expect(EgressError.noAddress("x").isTemporary)
  }

  @Test(arguments: [
    "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0177.0.0.1/",
    "http://127.0.0.0x1/", "http://127.0.1/", "http://１２７.0.0.1/", "http://[::1%25eth0]/", "http://[fe80::1%eth0]/",
    "http://user@hooks.example.com/", "http://user:pw@hooks.example.com/", "http://a.example.com@127.0.0.1/",
    "http://127.0.0.1\\@a.example.com/", "http://a.example.com\\.evil/", "http://a b/", "http://a\r\nHost: b/",
    "http:///x",
    "ftp://a.example.com/", "file:///etc/passwd", "gopher://a/", "javascript:x", "//a.example.com/", "a.example.com",
    "http://a..b/", "https://bücher.example/x", "https://xn--bücher.example/x", "https://b%C3%BCcher.example/x",
    // None of these encodes a name; the last ones do, and are not how that name is written.
    "https://xn--.example/x", "https://xn--a.example/x", "https://xn--zz-.example/x", "https://xn--example.com/x",
    "https://xn--0.example/x", "https://xn--127-.0.0.1/x", "https://xn--bcher-kva.example%2Ea/x",
    "http://a.example.com:0/", "http://a.example.com:70000/", "http://a.example.com:99999999999999999999/",
    "http://[127.0.0.1]/",
    "http://[::1/", "http+unix://x/y", "https+unix://x/y", "",
    "http://a.example.com/" + String(repeating: "x", count: 3000),
  ])
  func `a URL that could be read in two ways is refused`(url: String) {
    #expect(throws: EgressError.self) { try EgressTarget(url) }
  }

  @Test(arguments: [
    ("https://Hooks.Example.com/a?b=c", "hooks.example.com", 443, "https://hooks.example.com/a?b=c"),
    ("HTTP://hooks.example.com:8080", "hooks.example.com", 8080, "http://hooks.example.com:8080"),
    ("http://hooks.example.com./x", "hooks.example.com", 80, "http://hooks.example.com/x"),
    ("http://[::FFFF:127.0.0.1]:9/x", "127.0.0.1", 9, "http://127.0.0.1:9/x"),
    ("http://[0:0::1]/x", "::1", 80, "http://[::1]/x"),
    ("https://XN--Bcher-KVA.example/x", "xn--bcher-kva.example", 443, "https://xn--bcher-kva.example/x"),
    (
      "http://a--b.xn--p1ai:8080/ü".replacing("ü", with: "%C3%BC"), "a--b.xn--p1ai", 8080,
      "http://a--b.xn--p1ai:8080/%C3%BC"
    ),
    ("https://hooks.example.com/x#y", "hooks.example.com", 443, "https://hooks.example.com/x"),
  ])
  func `a URL is written anew from what was read`(text: String, host: String, port: Int, url: String) throws {
    let target = try EgressTarget(text)
    #expect(target.host == host && target.port == port && target.url == url)
  }

  @Test(arguments: [
    ("https://bücher.example/x", "xn--bcher-kva.example"), ("https://Bücher.Example:8443/x", "xn--bcher-kva.example"),
    ("https://кто.рф", "xn--j1ail.xn--p1ai"), ("http://１２７.0.0.1/", "xn--…"),
  ])
  func `an international name is refused with how to write it`(url: String, form: String) {
    do {
      _ = try EgressTarget(url)
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".hasSuffix("write it as \(form)"))
    }
  }

  @Test func `an international name is looked at like all others`() async throws {
    let egress = Egress { host in
      [EgressAddress(host == "xn--bcher-kva.example" ? "10.0.0.1" : "203.0.113.7")].compactMap { $0 }
    }
    await #expect(throws: EgressError.self) { try await egress.address(of: "xn--bcher-kva.example", port: 443) }
    #expect(try await egress.address(of: "xn--p1ai.example", port: 443).text == "203.0.113.7")
    #expect(try EgressPolicy(["xn--bcher-kva.example"]).names == ["xn--bcher-kva.example"])
    #expect(throws: EgressPolicy.InvalidName.self) { try EgressPolicy(["bücher.example"]) }
  }
}
