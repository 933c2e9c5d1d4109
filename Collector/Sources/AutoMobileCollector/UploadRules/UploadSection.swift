/// What of a recording leaves the device, as somebody wrote it: `"upload":{"schema":1,"mode":"whenTriggered","rules":[…]}`.
///
/// The SDK refuses a rule in which something is wrong by itself, and goes on with the others. Here it is told to whoever writes it.
struct UploadSection: Sendable {
  static let name = "upload"
  private static let schema: Int64 = 1
  static let mostRules = 64
  static let mostAsks = 32
  /// The most elements that are looked at: what comes after them is refused without a look.
  private static let mostRead = 4 * mostRules

  enum Mode: String, Sendable { case everything, whenTriggered }

  /// Nil: the app's own configuration holds.
  private(set) var mode: Mode?
  /// Those in which nothing is wrong, each with its place in the list.
  private(set) var rules: [(index: Int, rule: UploadRule)] = []
  private(set) var problems: [PlacedError] = []

  /// Reads all of it, whatever the mode is: rules that are not in force now will be later.
  init(_ value: JSONTree?) {
    let section = PlacedValue(Self.name, value)
    let schema = Self.problem { () throws(PlacedError) in
      let version = try section.member("schema").integer(in: 1...2_147_483_647, default: Self.schema)
      guard version == Self.schema else {
        let reason = "version \(version) is not known here, which is \(Self.schema)"
        throw PlacedError(place: "upload.schema", reason: "upload.schema: \(reason)")
      }
    }
    // Nothing else can be said of what is no section that is known.
    if let schema {
      problems = [schema]
      return
    }
    add(
      Self.problem { () throws(PlacedError) in
        try section.members(["schema", "mode", "keepDays", "bytesPerDay", "cellularBytesPerDay", "rules", "asks"])
      })
    add(Self.problem { () throws(PlacedError) in mode = try Self.mode(section.member("mode")) })
    readRules(section)
    // A pebibyte at most; -1 says that there is no limit, as its absence does.
    let bytes: ClosedRange<Int64> = -1...1_125_899_906_842_624
    for (name, bounds) in [("keepDays", 1...90), ("bytesPerDay", bytes), ("cellularBytesPerDay", bytes)] {
      add(
        Self.problem { () throws(PlacedError) in
          _ = try section.member(name).integer(in: bounds, default: bounds.upperBound)
        })
    }
    readAsks(section)
  }

  private static func mode(_ value: PlacedValue) throws(PlacedError) -> Mode? {
    guard let text = try value.string(maximumLength: 64) else { return nil }
    guard let mode = Mode(rawValue: text) else {
      throw value.error("expected \"everything\" or \"whenTriggered\", found \"\(text.prefix(40))\"")
    }
    return mode
  }

  private mutating func readRules(_ section: PlacedValue) {
    for (index, value) in elements(section, "rules").enumerated() {
      add(
        Self.problem { () throws(PlacedError) in
          try Self.checkCount(rules.count, Self.mostRules, "rules", value)
          let rule = try UploadRule(value)
          guard !rules.contains(where: { $0.rule.name == rule.name }) else {
            throw value.named(rule.name).error("a rule before it has the same name")
          }
          rules.append((index, rule))
        })
    }
  }

  private mutating func readAsks(_ section: PlacedValue) {
    var asks: Set<String> = []
    for value in elements(section, "asks") {
      add(
        Self.problem { () throws(PlacedError) in
          try Self.checkCount(asks.count, Self.mostAsks, "asks", value)
          let id = try UploadAskCheck.id(of: value)
          guard asks.insert(id).inserted else { throw value.named(id).error("an ask before it has the same id") }
        })
    }
  }

  private static func checkCount(
    _ count: Int, _ most: Int, _ name: String, _ value: PlacedValue
  ) throws(PlacedError) {
    guard count < most else { throw value.error("there are \(most) \(name) before it, and no more count") }
  }

  /// Those of a list that are looked at.
  private mutating func elements(_ section: PlacedValue, _ name: String) -> [PlacedValue] {
    var given: [PlacedValue] = []
    add(Self.problem { () throws(PlacedError) in given = try section.member(name).elements(maximum: 100_000) })
    guard given.count > Self.mostRead else { return given }
    let place = "\(Self.name).\(name)"
    let more = "\(given.count - Self.mostRead) more after the first \(Self.mostRead) were not looked at"
    problems.append(PlacedError(place: place, reason: "\(place): \(more)"))
    return Array(given.prefix(Self.mostRead))
  }

  private mutating func add(_ problem: PlacedError?) {
    if let problem { problems.append(problem) }
  }

  private static func problem(_ body: () throws(PlacedError) -> Void) -> PlacedError? {
    do throws(PlacedError) {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
