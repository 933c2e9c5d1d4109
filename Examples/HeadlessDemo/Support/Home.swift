import Foundation

/// Where the app keeps what is its own: below the demo's directory, instead of the person's home.
enum Home {
  /// Begins the program anew with another home, before anything else: Foundation asks for it once, when it is loaded.
  ///
  /// - Returns: the directory for documents.
  static func move(to directory: URL) throws -> URL {
    let home = directory.appendingPathComponent("Home", isDirectory: true)
    let documents = directory.appendingPathComponent("Documents", isDirectory: true)
    for url in [home, documents] { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    guard ProcessInfo.processInfo.environment["HOME"] != home.path else { return documents }
    // The second is Apple's.
    for name in ["HOME", "CFFIXED_USER_HOME"] { setenv(name, home.path, 1) }
    unsetenv("XDG_CONFIG_HOME")
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv(Bundle.main.executablePath ?? "/proc/self/exe", &arguments)
    throw CocoaError(.executableLoad)
  }
}
