import ArgumentParser

/// The keys that a collector is started with.
struct ServerKeyOptions: ParsableArguments {
  @Option(
    name: .customLong("ingest-key-file"),
    help: ArgumentHelp(
      "A file with keys for apps and readers, one a line. Or AUTOMOBILE_KEY in the environment.",
      valueName: "file"))
  var ingestKeyFiles: [String] = []

  @Option(
    name: .customLong("operator-key-file"),
    help: ArgumentHelp(
      "A file with keys that may also change things. Or AUTOMOBILE_OPERATOR_KEY in the environment.", valueName: "file")
  )
  var operatorKeyFiles: [String] = []

  @Option(help: "A key for apps and readers itself, visible to all users in the process list.")
  var key: [String] = []

  @Option(
    name: .customLong("operator-key"), help: "An operator key itself, visible to all users in the process list.")
  var operatorKey: [String] = []

  /// The options whose values are secrets themselves.
  static let secrets: Set = ["key", "operator-key"]

  func ingestKeys() throws -> [String] {
    try GivenKeys(
      fileOption: "--ingest-key-file", files: ingestKeyFiles, variables: ["AUTOMOBILE_KEY"], option: "--key",
      arguments: key
    ).all()
  }

  func operatorKeys() throws -> [String] {
    try GivenKeys(
      fileOption: "--operator-key-file", files: operatorKeyFiles, variables: [CollectorClient.operatorKeyVariable],
      option: "--operator-key", arguments: operatorKey
    ).all()
  }
}
