import AutoMobileSupport

/// By which of its clocks a launch was looked at last: see ``ClockTurns``.
struct LaunchClock: Sendable, Equatable {
  var launch: String
  var number: Int
}

/// What rules and asks name of a launch, and how far they have followed its clock.
package struct NamedStretches: Sendable, Equatable {
  package var stretches: [ReplayStretch]
  /// The number of the clock by which they were looked for last.
  package var clock: Int
}

extension StretchBook {
  /// Of more, the latest are known: a clock that nobody knows has less sent.
  static let mostClocks = 256

  func clock(of launch: String) -> Int { clocks.last { $0.launch == launch }?.number ?? 0 }

  mutating func setClock(_ number: Int, of launch: String) {
    clocks.removeAll { $0.launch == launch }
    if number > 0 { clocks.append(LaunchClock(launch: launch, number: number)) }
    if clocks.count > Self.mostClocks { clocks.removeFirst(clocks.count - Self.mostClocks) }
  }

  func named(of launch: String?) -> NamedStretches {
    NamedStretches(
      stretches: stretches.filter { launch == nil || $0.launch == launch }, clock: launch.map(clock(of:)) ?? 0)
  }
}

extension ReplayStretch {
  func goesOn(in launch: String, by clock: Int?) -> Bool {
    self.launch == launch && to == .max && self.clock == clock
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension LaunchClock: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    launch = members.value("launch")
    number = members.value("number")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("launch", launch)
    members.add("number", number)
    try members.end()
  }
}
