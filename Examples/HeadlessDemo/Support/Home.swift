import Foundation

/// Where the app keeps what is its own: below the demo's directory, instead of the person's home.
enum Home {
  /// Before anything asks for preferences.
  ///
  /// - Returns: the directory for documents.
  static func move(to directory: URL) throws -> URL {
    let home = directory.appendingPathComponent("Home", isDirectory: true)
    let documents = directory.appendingPathComponent("Documents", isDirectory: true)
    for url in [home, documents] { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    for name in ["HOME", "CFFIXED_USER_HOME"] { setenv(name, home.path, 1) }
    return documents
  }
}
