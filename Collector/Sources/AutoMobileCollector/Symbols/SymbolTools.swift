import Foundation

/// The programs that symbolication asks, and where they are.
public struct SymbolTools: Sendable {
  /// `llvm-symbolizer`, 13 or later; nil when there is none.
  public var symbolizer: URL?
  /// A program that reads mangled names and writes readable ones, line by line, and its arguments.
  public var demangler: Demangler?

  /// How to start the demangler.
  public struct Demangler: Sendable {
    public var executable: URL
    public var arguments: [String]

    public init(executable: URL, arguments: [String]) {
      self.executable = executable
      self.arguments = arguments
    }
  }

  public init(symbolizer: URL? = nil, demangler: Demangler? = nil) {
    self.symbolizer = symbolizer
    self.demangler = demangler
  }

  /// What this machine has: the symbolizer that `AUTOMOBILE_SYMBOLIZER` names, else the one beside `swift` (it is of the
  /// compiler's own version), else the first on the `PATH`; and this very program as the demangler.
  public static func found(environment: [String: String] = ProcessInfo.processInfo.environment) -> SymbolTools {
    let named = environment["AUTOMOBILE_SYMBOLIZER"].flatMap { $0.isEmpty ? nil : $0 }
    let symbolizer = named.map { isExecutable($0) ? URL(filePath: $0) : nil } ?? search(environment)
    return SymbolTools(symbolizer: symbolizer, demangler: ownDemangler)
  }

  private static func search(_ environment: [String: String]) -> URL? {
    let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    let beside = path.map { URL(filePath: $0 + "/swift") }.filter { isExecutable($0.path) }
      .map { $0.resolvingSymlinksInPath().deletingLastPathComponent().path }
    let known = [
      "/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin", "/Library/Developer/CommandLineTools/usr/bin",
    ]
    for directory in beside + path + known {
      // Debian's packages put a version behind the name.
      for name in ["llvm-symbolizer"] + (13...30).reversed().map({ "llvm-symbolizer-\($0)" }) {
        if isExecutable(directory + "/" + name) { return URL(filePath: directory + "/" + name) }
      }
    }
    return nil
  }

  private static var ownDemangler: Demangler? {
    #if os(Linux)
    let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
    let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    #endif
    // A program that uses the library as its own part has it as its neighbour, or not at all.
    let program =
      own.lastPathComponent == "automobile"
      ? own
      : URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "automobile")
    return isExecutable(program.path) ? Demangler(executable: program, arguments: ["demangle"]) : nil
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
