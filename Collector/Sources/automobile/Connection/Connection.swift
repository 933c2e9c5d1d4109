import Foundation

/// Which collector a command asks, with which key, and why: what stands in the command comes before the environment, and that
/// before the file.
struct Connection {
  enum Source: Equatable {
    /// `--url`
    case option(String)
    /// `AUTOMOBILE_URL`
    case variable(String)
    /// Its path.
    case file(String)
    case standard

    var text: String {
      switch self {
      case .option(let name), .variable(let name): "from \(name)"
      case .file(let path): "from \(Printable.text(path))"
      case .standard: "the default"
      }
    }
  }

  static let standardURL = "http://127.0.0.1:8765"
  static let urlVariable = "AUTOMOBILE_URL"

  /// Without a slash at its end.
  var url: URL
  var urlSource: Source
  var key: String?
  var keySource: Source?
  /// The file has a key, which belongs to another collector.
  var hasForeignKey = false

  /// An address without a slash at its end: paths are appended to it.
  ///
  /// - Throws: ``Failure`` when it is none.
  static func address(_ text: String, _ source: Source) throws -> URL {
    let base = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let url = URL(string: base), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host != nil
    else {
      let origin = if case .option = source { "" } else { " (\(source.text))" }
      throw Failure(
        kind: .unavailable, message: "“\(Printable.text(text))”\(origin) is not an address.",
        advice: "It looks like this: \(standardURL)")
    }
    return url
  }

  /// Whether both are the same collector, as far as the addresses tell.
  static func isSame(_ one: URL, _ other: URL) -> Bool {
    func parts(_ url: URL) -> [String] {
      let port = url.port ?? (url.scheme == "https" ? 443 : 80)
      return [url.scheme ?? "", url.host?.lowercased() ?? "", String(port), url.path]
    }
    return parts(one) == parts(other)
  }

  var client: CollectorClient {
    var client = CollectorClient(url: url, key: key)
    if urlSource != .standard { client.origin = urlSource.text }
    return client
  }
}

extension ConnectionOptions {
  /// - Parameter keyVariables: environment variables that come before `AUTOMOBILE_KEY`.
  /// - Throws: ``Failure`` when what is given cannot be used.
  func connection(
    keyVariables: [String] = [], environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Connection {
    let given = GivenKeys(
      fileOption: "--key-file", files: [keyFile].compactMap { $0 }, variables: keyVariables + ["AUTOMOBILE_KEY"],
      option: "--key", arguments: [key].compactMap { $0 })
    let keys = try given.all(environment: environment)
    // What is said in the command itself comes before the environment.
    let ownKey = key.flatMap { $0.isEmpty ? nil : $0 }
    let variable = environment[Connection.urlVariable].flatMap { $0.isEmpty ? nil : $0 }
    let path = ConnectionFile.path(environment)
    // A file that nothing is needed from may be as it is.
    let isComplete = (url ?? variable) != nil && (ownKey ?? keys.first) != nil
    let file = isComplete ? nil : try ConnectionFile.read(at: path)

    let source: Connection.Source =
      url != nil
      ? .option("--url")
      : variable != nil ? .variable(Connection.urlVariable) : file?.url != nil ? .file(path) : .standard
    let address = try Connection.address(url ?? variable ?? file?.url ?? Connection.standardURL, source)
    var connection = Connection(url: address, urlSource: source)
    if let given = ownKey ?? keys.first {
      connection.key = given
      connection.keySource =
        ownKey != nil
        ? .option("--key")
        : keyFile != nil
          ? .option("--key-file")
          : .variable(self.variable(of: given, keyVariables + ["AUTOMOBILE_KEY"], environment))
      return connection
    }
    guard let file, file.key != nil || file.keyFile != nil else { return connection }
    guard try Connection.isSame(Connection.address(file.url ?? Connection.standardURL, .file(path)), address) else {
      connection.hasForeignKey = true
      return connection
    }
    connection.key = try file.readKey(besides: path)
    connection.keySource = .file(path)
    return connection
  }

  private func variable(of key: String, _ names: [String], _ environment: [String: String]) -> String {
    names.first { (environment[$0] ?? "").split(whereSeparator: \.isWhitespace).contains { $0 == key } } ?? names.last
      ?? ""
  }
}

extension ConnectionFile {
  /// The key itself, or the one in the file that is named.
  fileprivate func readKey(besides path: String) throws -> String? {
    if let key { return key.isEmpty ? nil : key }
    guard let keyFile else { return nil }
    let place: URL
    if keyFile.hasPrefix("~/") {
      place = FileManager.default.homeDirectoryForCurrentUser.appending(path: String(keyFile.dropFirst(2)))
    } else {
      place = URL(filePath: keyFile, relativeTo: URL(filePath: path).deletingLastPathComponent())
    }
    return try KeyFile.keys(at: place.path) {
      Console.standard.note(Console.standard.errorStyle.yellow("warning: ") + $0)
    }.first
  }
}
