import AutoMobileSDK

/// Rules as an app could have them, for the figures.
enum RuleSet: String, CaseIterable {
  /// The mode without rules.
  case none
  /// Twenty, of which none concerns navigation.
  case others
  /// Twenty, of which one does.
  case one
  /// Twenty that all do.
  case all

  static let count = 20

  var rules: [UploadRule] {
    switch self {
    case .none: []
    case .others: Self.twentyOthers
    case .one: Array(Self.twentyOthers.dropLast()) + [Self.destination("Checkout")]
    case .all: (0..<Self.count).map { Self.destination($0 == 0 ? "Checkout" : "Checkout \($0)") }
    }
  }

  /// Looked at for each navigation, and applies to those to one place.
  private static func destination(_ name: String) -> UploadRule {
    UploadRule(
      name,
      when: .event(UploadEvent(type: .navigation, where: [UploadCondition("destination", .equals(.string(name)))])))
  }

  private static let twentyOthers: [UploadRule] = {
    let triggers: [UploadTrigger] = [
      .crash, .unexpectedEnd, .hang(atLeastMs: 2000), .handledFailure, .rageTap, .deadTap,
      .slowLaunch(atLeastMs: 4000), .frozenFrames(atLeast: 3), .capture,
      .request(UploadRequest(failed: true)),
      .request(UploadRequest(host: "*.example.com", pathPrefix: "/v1/checkout", atLeastMs: 3000)),
      .request(UploadRequest(method: "POST", status: 500...599)),
      .request(UploadRequest(host: "pay.example.com", status: 400...499)),
      .log(atLeast: .error), .log(atLeast: .warning, tag: "payment"), .log(atLeast: .info, tag: "audit"),
      .event(UploadEvent(type: .custom, name: "purchase", where: [UploadCondition("properties.plan", .equals("pro"))])),
      .event(UploadEvent(type: .storageChanged, where: [UploadCondition("key", .contains("token"))])),
      .event(UploadEvent(type: .span, name: "sync", where: [UploadCondition("durationMs", .atLeast(5000))])),
      .event(UploadEvent(type: .interaction, where: [UploadCondition("properties.text", .equals("Cancel order"))])),
    ]
    return triggers.enumerated().map { UploadRule("rule \($0.offset)", when: $0.element) }
  }()
}
