/// That a session was opened from a file, and what the file says of itself.
struct SessionImport: Sendable, Equatable {
  /// Of a collector's version, in characters.
  private static let longestVersion = 40

  var sessionId: String
  /// By this collector's clock; milliseconds since 1970.
  var importedAt: Int64
  /// By the clock of the collector that wrote the file.
  var exportedAt: Int64?
  /// Its version.
  var collector: String?

  /// - Parameter head: the file's first line.
  /// - Throws: ``APIError`` when it is no session file of a version that is known.
  init(_ head: JSONTree, at now: Int64) throws {
    guard head["file"]?.string == "session", let session = head["sessionId"]?.string,
      (1...EventFields.maximumName).contains(session.utf8.count), !session.hasControlCharacters
    else {
      throw SessionFile.invalid(1, "does not say that this is a session file")
    }
    guard head["version"]?.integer == SessionFile.version else {
      throw SessionFile.invalid(1, "says another version than \(SessionFile.version): take a newer collector")
    }
    sessionId = session
    importedAt = now
    exportedAt = head["exportedAt"]?.integer.flatMap { (0...ReplayTimes.most).contains($0) ? $0 : nil }
    collector = head["collector"]?.string.map { String($0.prefix(Self.longestVersion)) }
  }

  init(sessionId: String, importedAt: Int64, exportedAt: Int64?, collector: String?) {
    self.sessionId = sessionId
    self.importedAt = importedAt
    self.exportedAt = exportedAt
    self.collector = collector
  }

  /// The member, inside an object that the caller has begun.
  func write(to json: inout JSONOutput) {
    json.object("imported") {
      $0.member("at", importedAt)
      $0.member("exportedAt", exportedAt)
      $0.member("collector", collector)
    }
  }
}
