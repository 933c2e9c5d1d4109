import AutoMobileSupport

/// What of a recording is sent: `"upload":{"schema":1,"mode":"whenTriggered","rules":[…],"keepDays":7}`.
///
/// A rule or an ask in which something is wrong is refused by itself, and named in ``refused``; the others hold.
struct UploadSection: ControlSection {
  static let name = "upload"
  static let schema: Int64 = 1
  /// The most rules that are looked at: what comes after them is refused without a look.
  private static let mostRead = 4 * UploadRules.maximumRules

  /// Nil: the app's configuration holds.
  var policy: UploadPolicy?
  var asks: [UploadAsk] = []
  /// What is not applied, and why, in words.
  var refused: [String] = []

  init() {}

  init(_ section: ControlValue) throws {
    let schema = try section.member("schema").integer(in: 1...2_147_483_647, default: Self.schema)
    guard schema == Self.schema else {
      throw ControlError("upload.schema: version \(schema) is not known here, which is \(Self.schema)")
    }
    switch try section.member("mode").string(maximumLength: 64) {
    case nil: break
    case "everything"?: policy = .everything
    case "whenTriggered"?: policy = .whenTriggered(try readRules(section))
    case let mode?:
      throw ControlError("upload.mode: expected \"everything\" or \"whenTriggered\", found \"\(mode.prefix(40))\"")
    }
    try readAsks(section)
  }

  private mutating func readRules(_ section: ControlValue) throws -> UploadRules {
    var rules: [UploadRule] = []
    let given = try section.member("rules").elements(maximum: 100_000)
    for value in given.prefix(Self.mostRead) {
      do {
        guard rules.count < UploadRules.maximumRules else {
          throw ControlError("\(value.path): there are \(UploadRules.maximumRules) rules before it, and no more count")
        }
        let rule = try UploadRule(value)
        guard !rules.contains(where: { $0.name == rule.name }) else {
          throw ControlError("\(value.path) (\"\(rule.name)\"): a rule before it has the same name")
        }
        rules.append(rule)
      } catch {
        refused.append("\(error)")
      }
    }
    if given.count > Self.mostRead {
      refused.append(
        "upload.rules: \(given.count - Self.mostRead) more after the first \(Self.mostRead) were not looked at")
    }
    let days = try section.member("keepDays").integer(in: 1...90, default: 7)
    return UploadRules(
      rules, keepDays: Int(clamping: days), bytesPerDay: try bytes(section.member("bytesPerDay")),
      cellularBytesPerDay: try bytes(section.member("cellularBytesPerDay")))
  }

  private func bytes(_ value: ControlValue) throws -> Int? {
    // A pebibyte at most; -1 says that there is no limit, as its absence does.
    let bytes = try value.integer(in: -1...1_125_899_906_842_624, default: -1)
    return bytes < 0 ? nil : Int(clamping: bytes)
  }

  private mutating func readAsks(_ section: ControlValue) throws {
    let given = try section.member("asks").elements(maximum: 100_000)
    for value in given.prefix(Self.mostRead) {
      do {
        guard asks.count < UploadAsk.maximum else {
          throw ControlError("\(value.path): there are \(UploadAsk.maximum) asks before it, and no more count")
        }
        let ask = try UploadAsk(value)
        guard !asks.contains(where: { $0.id == ask.id }) else {
          throw ControlError("\(value.path) (\"\(ask.id)\"): an ask before it has the same id")
        }
        asks.append(ask)
      } catch {
        refused.append("\(error)")
      }
    }
    if given.count > Self.mostRead {
      refused.append(
        "upload.asks: \(given.count - Self.mostRead) more after the first \(Self.mostRead) were not looked at")
    }
  }
}

extension ControlValue {
  /// The members of an object, none but these.
  func members(_ known: [String]) throws {
    guard case .object(let members)? = value else { return }
    if let unknown = members.keys.filter({ !known.contains($0) }).ordered().first {
      throw ControlError(
        "\(path): \"\(unknown.prefix(40))\" is not known here: expected \(known.joined(separator: ", "))")
    }
  }

  /// - Throws: also when there is none, or an empty one.
  func text(maximumLength: Int) throws -> String {
    guard let text = try string(maximumLength: maximumLength), !text.isEmpty else {
      throw ControlError("\(path): expected a text of 1 to \(maximumLength) bytes, found none")
    }
    return text
  }

  /// The same, nil when there is none.
  func optionalText(maximumLength: Int) throws -> String? {
    value == nil ? nil : try text(maximumLength: maximumLength)
  }

  func number(in bounds: ClosedRange<Double>) throws -> Double {
    guard value != nil else {
      throw ControlError("\(path): expected a number from \(bounds.lowerBound) to \(bounds.upperBound), found none")
    }
    return try number(in: bounds, default: bounds.lowerBound)
  }

  func optionalNumber(in bounds: ClosedRange<Double>) throws -> Double? { value == nil ? nil : try number(in: bounds) }
}
