/// Screens that were shown before there was a replay to record them.
struct EarlyScreens: Sendable, Equatable {
  struct Screen: Sendable, Equatable {
    var name: String
    /// In milliseconds since 1970.
    var time: Int64
  }

  static let limit = 50
  private(set) var screens: [Screen] = []

  /// The same one again says nothing new; of more than ``limit``, the oldest go.
  mutating func add(_ name: String, at time: Int64) {
    guard screens.last?.name != name else { return }
    if screens.count == Self.limit { screens.removeFirst() }
    screens.append(Screen(name: name, time: time))
  }

  mutating func takeAll() -> [Screen] {
    defer { screens = [] }
    return screens
  }
}
