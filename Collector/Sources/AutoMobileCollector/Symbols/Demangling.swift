import Foundation

/// `automobile demangle`: mangled names of Swift and C++ in, readable ones out, a line each, empty for what is no
/// mangled name.
///
/// The runtimes' own functions do the work. They abort on some malformed names, and names come from strangers: so this
/// runs in a process of its own.
package enum Demangling {
  /// Longer names stay as they are, in bytes.
  package static let longest = 2048

  /// Answers standard input until it ends, a line each.
  package static func serve(_ answers: (String) -> Void) {
    // A name that is small and unfolds without end takes this process, not the machine.
    var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
    #if os(Linux)
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    #else
    setrlimit(RLIMIT_DATA, &limit)
    #endif
    while let line = readLine() {
      answers(String((demangle(line) ?? "").replacing("\n", with: " ").prefix(16 << 10)))
    }
  }

  /// Whether a name looks as if a compiler had made it.
  static func isMangled(_ name: String) -> Bool {
    guard name.utf8.count <= longest, name.utf8.allSatisfy({ $0 > 0x20 }) else { return false }
    return ["$s", "$S", "_$s", "_$S", "_T0", "_Z", "__Z", "$e", "@$s"].contains { name.hasPrefix($0) }
  }

  private static func demangle(_ name: String) -> String? {
    guard isMangled(name) else { return nil }
    if name.hasPrefix("_Z") || name.hasPrefix("__Z") {
      return cxx(name.hasPrefix("__Z") ? String(name.dropFirst()) : name)
    }
    return swift(name)
  }

  private static func swift(_ name: String) -> String? {
    typealias Function =
      @convention(c) (
        UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
      ) -> UnsafeMutablePointer<CChar>?
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_demangle") else { return nil }
    let function = unsafeBitCast(symbol, to: Function.self)
    guard let text = function(name, name.utf8.count, nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  private static func cxx(_ name: String) -> String? {
    typealias Function =
      @convention(c) (
        UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Int32>?
      ) -> UnsafeMutablePointer<CChar>?
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "__cxa_demangle") else { return nil }
    let function = unsafeBitCast(symbol, to: Function.self)
    guard let text = function(name, nil, nil, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
