import Foundation

/// Where records come from: the app that a resource names, and what is said of every one of its sessions.
struct IncomingResource {
  /// `service.name`: the app.
  let service: String?
  /// `session.id`, where the resource has it.
  let session: String?
  let user: String?
  /// The collectors that forwarded it.
  let trail: ForwardTrail
  /// What tells the processes of a service apart; the sessions of records that name none are called after it.
  private let instance: String
  private let version: String?
  private var device: [(key: String, value: String)] = []
  /// What else is said, as tags.
  private var tags: [(key: String, value: String)] = []

  /// Tags that one resource may have, and the length of each, in characters.
  static let mostTags = 64
  static let longestTag = 500

  init(_ resource: OTLP.Resource) {
    var named: [String: String] = [:]
    var known: Set<String> = []
    for attribute in resource.attributes where known.insert(attribute.key).inserted {
      if Self.named.contains(attribute.key) {
        let text = attribute.value.anyText
        if !text.isEmpty { named[attribute.key] = text }
      } else if tags.count < Self.mostTags, !attribute.key.isEmpty {
        tags.append((String(attribute.key.prefix(200)), String(attribute.value.anyText.prefix(Self.longestTag))))
      }
    }
    service = named["service.name"]
    version = named["service.version"]
    session = named["session.id"].flatMap(Self.sessionName)
    trail = ForwardTrail(named[ForwardTrail.attribute])
    if let text = named[ForwardTrail.attribute] { tags.append((ForwardTrail.attribute, String(text.prefix(1000)))) }
    user = named["user.id"] ?? named["enduser.id"]
    let instance = named["service.instance.id"] ?? named["app.installation.id"] ?? named["device.id"]
    self.instance = instance ?? named["host.name"] ?? service ?? "unknown"
    for name in ["service.instance.id", "app.installation.id", "device.id", "host.name"] {
      if let text = named[name] { tags.append((name, String(text.prefix(Self.longestTag)))) }
    }
    if let model = named["device.model.identifier"] ?? named["device.model.name"] { device.append(("model", model)) }
    if let maker = named["device.manufacturer"] { device.append(("manufacturer", maker)) }
    if let version = named["os.version"] { device.append(("osVersion", version)) }
    if let system = named["os.name"] ?? named["os.type"] { device.append(("systemName", system)) }
    tags.sort { $0.key < $1.key }
  }

  /// What becomes more than a tag.
  private static let named: Set<String> = [
    "service.name", "service.version", "service.instance.id", "app.installation.id", "device.id", "host.name",
    "session.id", "user.id", "enduser.id", "device.model.identifier", "device.model.name", "device.manufacturer",
    "os.version", "os.name", "os.type", ForwardTrail.attribute,
  ]

  /// A session's name that can be one; nil when it is too long, or has control characters.
  static func sessionName(_ text: String) -> String? {
    guard (1...EventFields.maximumName).contains(text.utf8.count), !text.hasControlCharacters else { return nil }
    return text
  }

  /// The session of a record that names none: the process's, one for each day, in UTC.
  func fallbackSession(at milliseconds: Int64) -> String {
    let day = milliseconds >= 0 ? milliseconds / 86_400_000 : 0
    return "otel \(Self.date(day)) \(instance.filter { !$0.isNewline }.prefix(120))"
      .filter { !String($0).hasControlCharacters }
  }

  /// `2026-11-24`, of days since 1970 (Howard Hinnant's days-from-civil, the other way round).
  static func date(_ day: Int64) -> String {
    let shifted = min(day, 3_000_000) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(dayOfMonth))"
  }

  /// The context of one session of it, as a journal has it, without its number.
  func context(session: String, user: String?, bundleId: String?, into json: inout EventBytes, number: Int64?) {
    json.object { json in
      if let number { json.member("contextId", number) }
      json.member("sessionId", session)
      json.member("userId", optional: (user ?? self.user).map { String($0.prefix(EventFields.maximumName)) })
      json.member("appVersion", optional: version.map { String($0.prefix(100)) })
      json.member("bundleId", optional: bundleId)
      json.name("tags")
      json.object { json in
        for tag in tags {
          json.name(tag.key)
          json.string(tag.value)
        }
      }
      json.name("device")
      json.object { json in
        for part in device {
          json.name(part.key)
          json.string(String(part.value.prefix(200)))
        }
      }
    }
  }
}
