import HTTPTypes
import Testing

@testable import AutoMobileCollector

@Suite struct `Trusted proxies` {
  @Test func `are addresses and networks, of IPv4 and IPv6, and an IPv4 address written into IPv6 is that`() throws {
    let proxies = try TrustedProxies(["10.0.0.0/8", "192.0.2.1", "fd00::/8", "::1", "::ffff:172.16.0.0/108"])
    for address in ["10.0.0.1", "10.255.255.255", "192.0.2.1", "::ffff:10.1.1.1", "fd12::1", "::1", "172.31.255.255"] {
      #expect(proxies.trusts(try #require(EgressAddress(address))), "\(address)")
    }
    for address in ["11.0.0.1", "192.0.2.2", "fe80::1", "::2", "172.32.0.0", "127.0.0.1"] {
      #expect(!proxies.trusts(try #require(EgressAddress(address))), "\(address)")
    }
    #expect(!TrustedProxies.none.trusts(try #require(EgressAddress("127.0.0.1"))))
  }

  @Test(arguments: [
    "", "localhost", "10.0.0.0/33", "10.0.0.0/7", "0.0.0.0/0", "::/0", "10.0.0/8", "10.0.0.0/", "10.0.0.0/8/8",
    "::1/129", "10.0.0.0/-8",
    "10.0.0.0/+8", "::ffff:10.0.0.0/8", "[::1]",
  ])
  func `that make no sense are refused`(name: String) {
    #expect(throws: TrustedProxies.InvalidName.self) { try TrustedProxies([name]) }
  }

  @Test(
    arguments: [
      ("192.0.2.60", "192.0.2.60"), (" 192.0.2.60 ", "192.0.2.60"), ("192.0.2.60:4711", "192.0.2.60"),
      ("2001:db8::1", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:4711", "2001:db8::1"),
      ("::ffff:192.0.2.60", "192.0.2.60"), ("[::ffff:192.0.2.60]:1", "192.0.2.60"),
      ("unknown", nil), ("_hidden", nil), ("", nil), ("192.0.2", nil), ("192.0.2.60:99999", nil), ("192.0.2.60:", nil),
      ("192.0.2.060", nil), ("[192.0.2.60]", nil), ("[2001:db8::1", nil), ("[2001:db8::1]x", nil),
      ("fe80::1%eth0", nil),
      ("192.0.2.60\0", nil), ("0x7f000001", nil),
    ] as [(String, String?)])
  func `hops are read as proxies write them`(text: String, address: String?) {
    #expect(ForwardedHops.address(text)?.text == address)
  }

  @Test func `of fields that are too long the end counts, where the proxy wrote`() {
    #expect(ForwardedHops.list([String(repeating: "1.1.1.1,", count: 63) + "1.1.1.1"])?.count == 64)
    let many = ForwardedHops.list([String(repeating: "1.1.1.1,", count: 64) + "2.2.2.2"])
    #expect(many?.count == 64 && many?.last??.text == "2.2.2.2")
    let long = ForwardedHops.list([String(repeating: "x", count: 2 * ForwardedHops.longest) + ",2.2.2.2"])
    #expect(long?.map { $0?.text } == ["2.2.2.2"])
    let lines = ForwardedHops.list(Array(repeating: "1.1.1.1, 1.1.1.1", count: 100) + ["2.2.2.2"])
    #expect(lines?.count == 64 && lines?.last??.text == "2.2.2.2")
    // One entry that is cut says nothing, and it is not as if there were no field.
    #expect(ForwardedHops.list([String(repeating: "1", count: ForwardedHops.longest + 1)]) == [])
    #expect(ForwardedHops.list([]) == nil && ForwardedHops.forwarded([]) == nil)
  }

  private static func client(_ forwardedFor: String?, _ forwarded: String?) throws -> String {
    var fields = HTTPFields()
    fields[.xForwardedFor] = forwardedFor
    fields[.forwarded] = forwarded
    let peer = try #require(EgressAddress("10.0.0.1"))
    return ProxyHeaders.client(fields, behind: peer, try TrustedProxies(["10.0.0.0/8"])).text
  }

  /// The proxy adds 203.0.113.9 to the one header that it knows, and passes on the other one.
  @Test func `nobody makes the proxy's word unreadable, and theirs the only one`() throws {
    let said = "for=8.8.8.8"
    for before in [String(repeating: "1.1.1.1,", count: 64), String(repeating: "x", count: 4097) + ",", "\","] {
      #expect(try Self.client(before + "203.0.113.9", said) == "10.0.0.1")
      #expect(try Self.client(before + "203.0.113.9", nil) == "203.0.113.9", "\(before.prefix(20))")
      // The other way round.
      #expect(try Self.client("8.8.8.8", "for=\"" + before + "for=203.0.113.9") == "10.0.0.1")
    }
    #expect(try Self.client("", said) == "10.0.0.1")
  }

  @Test(arguments: [
    "\", 203.0.113.9", "a \"b\" \\\", 203.0.113.9", "\"\\, 203.0.113.9", ",,\"203.0.113.9, 203.0.113.9",
  ])
  func `a quotation mark hides nobody`(text: String) throws {
    #expect(try Self.client(text, nil) == "203.0.113.9")
  }

  @Test(
    arguments: ["for=\"", "for=\"x\\\"", "for=\"x", "\"\\", "for=\"8.8.8.8\";by=\"", "\"\"\""],
    ["for=203.0.113.9", "for=\"203.0.113.9:4711\"", "proto=https;for=203.0.113.9;by=\"a, b\""])
  func `a quoted string that a stranger left open does not cover what the proxy appends`(
    before: String, appended: String
  ) throws {
    #expect(try Self.client(nil, before + ", " + appended) == "203.0.113.9")
  }

  @Test func `a quoted comma begins no other hop`() {
    let hops = ForwardedHops.forwarded([
      "for=\"1.1.1.1, for=2.2.2.2\", for=3.3.3.3;for=4.4.4.4, by=5.5.5.5, For=\"\\6.6.6.6\""
    ])
    #expect(hops?.map { $0?.text } == [nil, nil, nil, "6.6.6.6"])
  }

  @Test func `the scheme is what the last proxy says`() {
    #expect(ProxyHeaders.scheme(["http", "https"]) == "https")
    #expect(ProxyHeaders.scheme(["https, HTTP "]) == "http")
    #expect(ProxyHeaders.scheme(["https, javascript"]) == nil)
    #expect(ProxyHeaders.scheme([]) == nil)
  }
}
