/// Remembers taps on what is not interactive until it is known whether anything came of them.
struct DeadTaps {
  /// How long the app has for an answer, in milliseconds.
  static let waitMs = 400
  /// More at a time are not remembered.
  static let maximumPending = 8

  private struct Pending {
    var id: UInt64
    /// How often the app had navigated when it was tapped.
    var navigations: UInt64
    var responses: UInt64
    var properties: [String: String]
  }
  private var pending: [Pending] = []
  private var lastId: UInt64 = 0
  /// How often text was put in, or the keyboard came or went.
  private var responses: UInt64 = 0

  /// Text was put in, or the keyboard came or went.
  mutating func noteResponse() { responses &+= 1 }

  /// - Returns: by which to ask for the tap in ``waitMs``; nil when there are too many already.
  mutating func note(_ properties: [String: String], navigations: UInt64) -> UInt64? {
    guard pending.count < Self.maximumPending else { return nil }
    lastId &+= 1
    pending.append(
      Pending(id: lastId, navigations: navigations, responses: responses, properties: properties))
    return lastId
  }

  /// The time is over.
  ///
  /// - Returns: the tap, if it was dead.
  mutating func settle(_ id: UInt64, navigations: UInt64) -> [String: String]? {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return nil }
    let tap = pending.remove(at: index)
    return tap.navigations == navigations && tap.responses == responses ? tap.properties : nil
  }
}
