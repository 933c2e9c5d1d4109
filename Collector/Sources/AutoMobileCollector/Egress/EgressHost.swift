import Foundation

/// A host as it stands in a URL or in a setting: one spelling only, so that what is looked at is what is connected to.
enum EgressHost {
  /// A name of letters, digits, hyphens, underscores and dots in lower case, or an address as everybody writes it.
  /// International names as DNS knows them: `xn--bcher-kva.example`, and not as people read them, which each library encodes in
  /// a way of its own.
  ///
  /// - Throws: ``EgressError/refused(_:)`` for everything that some library could read as another host: `127.1`,
  ///   `0x7f000001`, `2130706433`, `０`, zones, percent signs, empty labels.
  static func normalized(_ text: String) throws -> String {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw EgressError.refused(notASCII(text)) }
    var host = text.lowercased()
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      guard host.contains(":") else { throw EgressError.refused("“\(shown(text))” is no host") }
    }
    if let address = EgressAddress(host) { return address.text }
    if host.hasSuffix(".") { host.removeLast() }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...253).contains(host.utf8.count), labels.allSatisfy({ (1...63).contains($0.utf8.count) && isLabel($0) }),
      let last = labels.last
    else { throw EgressError.refused("“\(shown(text))” is no host") }
    // Of a name the last label is never a number, in no notation.
    guard !last.allSatisfy(\.isNumber), !last.hasPrefix("0x") else {
      throw EgressError.refused("the host “\(shown(text))” is written in an unusual form: write 127.0.0.1 or a name")
    }
    guard !labels.contains(where: { $0.hasPrefix("xn--") }) || isInternational(host) else {
      throw EgressError.refused("“\(shown(text))” is no host: what follows xn-- encodes no name")
    }
    return host
  }

  /// Whether it can be read, and is what the name that is read is written as: one name has one spelling.
  private static func isInternational(_ host: String) -> Bool {
    var parts = URLComponents()
    parts.encodedHost = host
    guard let read = parts.host, read != host else { return false }
    return encoded(read) == host
  }

  /// As DNS knows it; nil when it is no name.
  private static func encoded(_ name: String) -> String? {
    var parts = URLComponents()
    parts.host = name
    return parts.encodedHost
  }

  /// Why a name as people read it is refused, and how to write it.
  private static func notASCII(_ text: String) -> String {
    let form = encoded(text.lowercased()).flatMap { $0.contains("xn--") ? (try? normalized($0)) : nil }
    return "the host “\(shown(text))” has letters that DNS does not know: write it as \(form ?? "xn--…")"
  }

  private static func isLabel(_ label: Substring) -> Bool {
    label.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  private static func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value > 0x1F && $0.value != 0x7F }).prefix(80))
  }
}
