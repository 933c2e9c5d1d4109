import AutoMobileState
import CPostgres
import Foundation

/// PostgreSQL's client library, which is looked for when it is needed: who keeps the state in a file needs none.
enum PostgresLibrary {
  #if canImport(Darwin)
  static let names = [
    "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
  ]
  private static let advice = "brew install libpq"
  #else
  static let names = ["libpq.so.5"]
  private static let advice =
    "on Debian and Ubuntu: apt-get install libpq5; on Fedora: dnf install libpq; on Alpine: apk add libpq"
  #endif

  // Once, by whoever comes first: the others wait.
  private static let problem = problem(of: names)

  /// To be called before anything of `CPostgres`.
  static func load() throws {
    if let problem { throw problem }
  }

  /// Looks for it under these names.
  static func problem(of names: [String]) -> StateError? {
    var texts: [UnsafePointer<CChar>?] = names.map { UnsafePointer(strdup($0)) }
    defer { for text in texts { free(UnsafeMutableRawPointer(mutating: text)) } }
    texts.append(nil)
    guard let message = pq_load(texts) else { return nil }
    defer { free(message) }
    return StateError(
      .unavailable,
      "PostgreSQL's client library, libpq, cannot be used: \(String(cString: message)). Install it (\(advice)), and start again"
    )
  }
}
