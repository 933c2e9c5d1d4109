/// What a thread is called, as it was read from a process that was about to end.
enum ThreadName {
  /// Bytes up to a zero; empty when they are no name: anything can have been written there.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    let name = Array(bytes.prefix { $0 != 0 })
    guard let text = valid(name[...]), !text.unicodeScalars.contains(where: isControl) else { return "" }
    #if canImport(Darwin)
    return text
    #else
    return rootQueues[text] ?? text
    #endif
  }

  /// Linux keeps 15 bytes of a name, which can end in the middle of a character: that one is left out.
  private static func valid(_ bytes: ArraySlice<UInt8>) -> String? {
    for cut in 0...min(3, bytes.count) {
      // Only what such a character begins with may be left out.
      guard bytes.suffix(cut).allSatisfy({ $0 & 0x80 != 0 }) else { return nil }
      let text = String(decoding: bytes.dropLast(cut), as: UTF8.self)
      if !text.unicodeScalars.contains("\u{FFFD}") { return text }
    }
    return nil
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }

  /// On Linux the threads of libdispatch are called by the last 15 bytes of their queue's label.
  private static let rootQueues: [String: String] = {
    let services = ["maintenance", "background", "utility", "default", "user-initiated", "user-interactive"]
    var names = ["-qos.overcommit": "com.apple.root.*-qos.overcommit"]
    for service in services {
      let label = "com.apple.root.\(service)-qos"
      names[String(decoding: label.utf8.suffix(15), as: UTF8.self)] = label
    }
    return names
  }()
}
