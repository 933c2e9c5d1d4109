/// What an ask in the section `upload` may say: whose recording is wanted, and from when to when.
enum UploadAskCheck {
  private static let subjects = ["session", "user", "device", "appVersion"]

  /// - Returns: the ask's id, when nothing is wrong.
  static func id(of value: PlacedValue) throws(PlacedError) -> String {
    let id = try value.member("id").text(maximumLength: 100)
    let named = value.named(id)
    try named.members(["id", "from", "to", "reason", "priority"] + subjects)
    let members = named.value?.members ?? [:]
    let given = subjects.filter { members[$0] != nil }
    guard given.count == 1, let name = given.first else {
      throw named.error("expected one of \(subjects.joined(separator: ", "))")
    }
    _ = try named.member(name).text(maximumLength: 500)
    let from = try named.member("from").integer(in: 0...9_223_372_036_854_775_807, default: 0)
    let to = try named.member("to").integer(in: 0...9_223_372_036_854_775_807, default: .max)
    guard from <= to else { throw named.error("from is later than to") }
    _ = try named.member("reason").optionalText(maximumLength: 500)
    _ = try named.member("priority").integer(in: 0...9, default: 6)
    return id
  }
}
