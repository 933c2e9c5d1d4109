import Foundation

/// Whom a request was passed on for, as proxies write it down: each adds the address that it heard from at the end.
///
/// Nothing here is believed: who wrote it decides that (``ProxyHeaders``). A word that is no address ends the way back, since nobody
/// can say who stands behind it.
///
/// Read from the end on, where the proxy wrote: what a stranger wrote before, however long or however badly quoted, must not hide
/// what the proxy has added to it.
enum ForwardedHops {
  /// Of all fields of a name together, in bytes; and in entries. Of more, the last ones count: the way back ends there.
  static let longest = 4096
  static let most = 64

  /// `X-Forwarded-For: 192.0.2.60, 10.0.0.1`. An entry that is no address is nil.
  ///
  /// - Parameter fields: in the order in which they came.
  /// - Returns: nil when there is no such field.
  static func list(_ fields: [String]) -> [EgressAddress?]? {
    entries(fields, isQuoting: false)?.map { address(String(decoding: $0, as: UTF8.self)) }
  }

  /// `Forwarded: for=192.0.2.60;proto=https, for="[2001:db8::1]:4711"` (RFC 7239). An entry without `for`, or whose `for` is no
  /// address, is nil.
  ///
  /// - Returns: nil when there is no such field.
  static func forwarded(_ fields: [String]) -> [EgressAddress?]? {
    entries(fields, isQuoting: true)?.map { entry in
      var found: [[UInt8]] = []
      for pair in split(entry, at: UInt8(ascii: ";")) {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
          String(decoding: pair[..<equals], as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased() == "for"
        else { continue }
        found.append(unquoted(pair[pair.index(after: equals)...]))
      }
      // Two of them are a contradiction.
      return found.count == 1 ? address(String(decoding: found[0], as: UTF8.self)) : nil
    }
  }

  /// The address of the first entry, from the last one on, that no trusted proxy has; the last that is known when the way breaks off.
  ///
  /// - Parameter peer: whoever the connection is with, which is trusted.
  static func client(_ hops: [EgressAddress?], behind peer: EgressAddress, _ proxies: TrustedProxies) -> EgressAddress {
    var last = peer
    for hop in hops.reversed() {
      guard let hop else { return last }
      last = hop
      if !proxies.trusts(hop) { return hop }
    }
    return last
  }

  // MARK: Reading

  private static func entries(_ fields: [String], isQuoting: Bool) -> [ArraySlice<UInt8>]? {
    guard !fields.isEmpty else { return nil }
    var found: [ArraySlice<UInt8>] = []
    var left = longest
    for field in fields.reversed() {
      let bytes = Array(field.utf8)
      var parts = partsFromEnd(bytes.suffix(left), isQuoting: isQuoting)
      // Of an entry that the limit cuts nobody knows what it said.
      if bytes.count > left { parts.removeLast() }
      found += parts.prefix(most - found.count)
      left -= bytes.count + 1
      if left <= 0 || found.count == most { break }
    }
    return found.reversed()
  }

  /// What stands between commas, the last first. From the end on, a quote that a stranger left open covers nothing of what was
  /// appended to it.
  private static func partsFromEnd(_ bytes: ArraySlice<UInt8>, isQuoting: Bool) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var (end, isQuoted) = (bytes.endIndex, false)
    for index in bytes.indices.reversed() {
      let byte = bytes[index]
      if isQuoting, byte == UInt8(ascii: "\""), !isEscaped(index, in: bytes) {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ","), !isQuoted {
        parts.append(bytes[index + 1..<end])
        end = index
      }
    }
    parts.append(bytes[bytes.startIndex..<end])
    return parts
  }

  /// An odd number of backslashes stands before it.
  private static func isEscaped(_ index: Int, in bytes: ArraySlice<UInt8>) -> Bool {
    bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
  }

  /// Outside of quoted strings.
  private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var (start, isQuoted, isEscaped) = (bytes.startIndex, false, false)
    for index in bytes.indices {
      let byte = bytes[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == separator, !isQuoted {
        parts.append(bytes[start..<index])
        start = index + 1
      }
    }
    parts.append(bytes[start...])
    return parts
  }

  private static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
    let text = value.drop { $0 == 0x20 || $0 == 0x09 }
    guard text.first == UInt8(ascii: "\"") else { return Array(text) }
    var result: [UInt8] = []
    var isEscaped = false
    for byte in text.dropFirst() {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if !isEscaped, byte == UInt8(ascii: "\"") {
        break
      } else {
        result.append(byte)
        isEscaped = false
      }
    }
    return result
  }

  /// `192.0.2.60`, `192.0.2.60:4711`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:4711`; neither `unknown` nor `_hidden`.
  static func address(_ text: String) -> EgressAddress? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard text.utf8.count <= 64, !text.utf8.contains(0) else { return nil }
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
      let address = EgressAddress(String(text[text.index(after: text.startIndex)..<end]))
      return text[..<end].contains(":") ? address : nil
    }
    if let address = EgressAddress(text) { return address }
    guard let colon = text.lastIndex(of: ":"), !text[..<colon].contains(":"), isPort(text[colon...]) else { return nil }
    return EgressAddress(String(text[..<colon]))
  }

  private static func isPort(_ text: Substring) -> Bool {
    guard !text.isEmpty else { return true }
    return text.first == ":" && text.count <= 6 && UInt16(text.dropFirst()) != nil
  }
}
