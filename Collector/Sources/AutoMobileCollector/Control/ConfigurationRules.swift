/// What may stand in a configuration document. Sections that are not known are kept as they are: they are for SDKs that
/// are newer than this collector.
enum ConfigurationRules {
  /// Of one document, in bytes; two of them together stay below what an SDK takes.
  static let maximumSize = 32 << 10
  static let maximumDepth = 12
  /// Documents that are kept.
  static let maximumDocuments = 1000

  /// - Throws: ``APIError`` that names the member.
  static func check(_ document: JSONTree) throws {
    guard case .object(let sections) = document else { throw invalid("the document", "an object of sections") }
    for (name, section) in sections {
      guard (1...64).contains(name.utf8.count) else { throw invalid("a section's name", "1 to 64 bytes long") }
      switch name {
      case "version", "issuer": throw invalid(name, "left out: the collector sets it")
      case "recording": try bool(section, name, "enabled")
      case "sampling": try number(section, name, "sessionRate", 0...1)
      case "control":
        try number(section, name, "checkSeconds", 60...86_400)
        try bool(section, name, "commands")
      case "mocks": try MockRules.check(section)
      case UploadSection.name: try UploadSection(section).check()
      case ReplayPolicy.section: try checkReplay(section, name)
      default: break
      }
    }
  }

  private static func checkReplay(_ section: JSONTree, _ name: String) throws {
    for flag in ["recordingEnabled", "disabled"] { try bool(section, name, flag) }
    try number(section, name, "sampleRate", 0...100)
    try number(section, name, "recordingFps", 0.1...30)
    try number(section, name, "maxRecordingMinutes", 1...1440)
    try number(section, name, "quotaBytes", 0...1e15)
    try choice(section, name, "textInputMasking", ["all", "secure_only"])
    try choice(section, name, "imageVideoMasking", ["none", "all"])
  }

  private static func choice(_ section: JSONTree, _ name: String, _ member: String, _ values: [String]) throws {
    guard let value = try self.member(section, name, member) else { return }
    guard let text = value.string, values.contains(text) else {
      throw invalid("\(name).\(member)", "one of \(values.joined(separator: ", "))")
    }
  }

  /// A bundle id as it stands in paths and queries; `*` stands for all.
  static func checkBundle(_ bundle: String) throws {
    guard (1...200).contains(bundle.utf8.count),
      bundle.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { throw APIError.badRequest("invalid_bundle", "a bundle id has 1 to 200 characters and no spaces") }
  }

  private static func member(_ section: JSONTree, _ name: String, _ member: String) throws -> JSONTree? {
    guard case .object(let members) = section else { throw invalid(name, "an object") }
    return members[member].flatMap { $0.isNull ? nil : $0 }
  }

  private static func bool(_ section: JSONTree, _ name: String, _ member: String) throws {
    guard let value = try self.member(section, name, member) else { return }
    if value.bool == nil { throw invalid("\(name).\(member)", "true or false") }
  }

  private static func number(
    _ section: JSONTree, _ name: String, _ member: String, _ bounds: ClosedRange<Double>
  ) throws {
    guard let value = try self.member(section, name, member) else { return }
    guard let number = value.number, bounds.contains(number) else {
      throw invalid("\(name).\(member)", "a number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
  }

  private static func invalid(_ what: String, _ expected: String) -> APIError {
    APIError.badRequest("invalid_configuration", "\(what) must be \(expected)")
  }
}
