import Foundation

@testable import AutoMobileCollector

/// Where the collector is told to go, and where it is asked: of what can be spelled in two ways, one is taken.
enum AddressFuzz {
  // MARK: Outwards

  private static let somebody = EgressAddress("203.0.113.7")
  private static let nobody = EgressAddress("255.255.255.255")

  /// A host, a URL, or what an operator allows.
  static func egress(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let text = String(decoding: bytes, as: UTF8.self)
    refused(expect) {
      let host = try EgressHost.normalized(text)
      expect(!text.utf8.contains(0), "what ends a text for the system is no part of a host")
      expect(host.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_.:".utf8.contains($0) }, "a host is plain")
      expect(try EgressHost.normalized(host) == host, "a host has one spelling")
      expect(EgressAddress(host).map { $0.text == host } ?? true, "an address is read as it is written")
    }
    refused(expect) {
      let target = try EgressTarget(text)
      let again = try EgressTarget(target.url, longest: 1 << 20)
      expect(again == target, "a URL is read as it is written")
      expect(1...65535 ~= target.port, "a port is one")
      expect(try EgressHost.normalized(target.host) == target.host, "what is looked at has one spelling")
      let host = target.host.contains(":") ? "[\(target.host)]" : target.host
      let start = "\(target.isSecure ? "https" : "http")://\(host)"
      expect(target.url.hasPrefix(start), "nothing stands before the host")
      let port = target.url.dropFirst(start.count).prefix { $0 != "/" && $0 != "?" }
      expect(port.isEmpty || port == ":" || Int(port.dropFirst()) == target.port, "the port in it is the one looked at")
    }
    guard let policy = try? EgressPolicy([text]), let somebody, let nobody else { return }
    refused(expect) {
      let found = try policy.address([somebody], of: "hooks.example.com", port: 443)
      expect(found == somebody, "who allows one place forbids no other")
    }
    let isOpen = (try? policy.address([somebody, nobody], of: "hooks.example.com", port: 443)) != nil
    expect(!isOpen, "what is no machine's address cannot be allowed")
  }

  private static func refused(_ expect: (Bool, String) -> Void, _ body: () throws -> Void) {
    do {
      try body()
    } catch EgressError.refused(let reason) {
      expect(reason.utf8.count < 2000, "a refusal is short")
    } catch {
      expect(false, "only refusals are thrown, not \(error)")
    }
  }

  // MARK: Inwards

  /// The target of a request, which is taken when it is its own normal form, and only then.
  static func target(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let text = String(decoding: bytes, as: UTF8.self)
    let isTaken = takes(expect, code: "invalid_target") { try RequestTarget.check(text) }
    guard let normal = normalForm(text) else { return expect(!isTaken, "what is no path is refused") }
    expect(isTaken == (normal == text), "the normal form is taken, and no other")
    expect(takes(expect, code: "invalid_target") { try RequestTarget.check(normal) }, "there is a way to say it")
  }

  /// RFC 3986, 6.2.2, in the order in which it says so; nil for what is no path at all.
  private static func normalForm(_ text: String) -> String? {
    guard text.hasPrefix("/"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      return nil
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let plain = unreserved.union("/!$&'()*+,=:@".utf8)
    func encoded(_ byte: UInt8) -> String { "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16).uppercased() }
    var path = ""
    var rest = Array(parts[0].utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
          let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value >= 0x20, value != 0x7F
        else { return nil }
        rest = rest.dropFirst(2)
        path += unreserved.contains(value) ? String(Unicode.Scalar(value)) : encoded(value)
      } else {
        path += plain.contains(byte) ? String(Unicode.Scalar(byte)) : encoded(byte)
      }
    }
    var segments: [Substring] = []
    for segment in path.split(separator: "/") where segment != "." {
      if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
    }
    return "/\(segments.joined(separator: "/"))\(parts.count > 1 ? "?\(parts[1])" : "")"
  }

  /// A place in a list: what somebody says that it is, or two numbers.
  static func cursor(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = takes(expect, code: "invalid_cursor") {
      let cursor = try PageCursor(text)
      expect(try PageCursor(cursor.text) == cursor, "a cursor is read as it is written")
      let isWhole = text.range(of: PageCursor.pattern, options: .regularExpression) == text.startIndex..<text.endIndex
      expect(isWhole, "what is taken is of the form that is told")
    }
    guard bytes.count >= 16 else { return }
    let given = PageCursor(
      key: bytes.loadUnaligned(as: Int64.self), id: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
    expect((try? PageCursor(given.text)) == given, "each place can be said")
  }

  private static func takes(
    _ expect: (Bool, String) -> Void, code: String, _ body: () throws -> Void
  ) -> Bool {
    do {
      try body()
      return true
    } catch let error as APIError {
      expect(error.status == .badRequest && error.code == code, "it is said what is wrong")
    } catch {
      expect(false, "only answers are thrown, not \(error)")
    }
    return false
  }
}
