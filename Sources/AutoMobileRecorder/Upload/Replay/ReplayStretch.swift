import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// A stretch of time of a launch of which a replay is to be sent.
package struct ReplayStretch: Sendable, Equatable {
  /// Whose: times of one launch say nothing of another, whatever was done to the clock.
  package var launch: String
  /// Whose word it is: see ``UploadMark``.
  package var name: String
  /// In milliseconds since 1970, by the events' times.
  package var from: Int64
  /// Contained as well; the greatest number as long as it goes on, which is to the end of the launch.
  package var to: Int64
  /// By which of the launch's clocks, by ``ClockTurns``'s number; nil: written by a version that did not tell, and any is meant.
  package var clock: Int?

  package init(launch: String, name: String, from: Int64, to: Int64, clock: Int? = nil) {
    self.clock = clock
    self.launch = launch
    self.name = name
    self.from = min(from, to)
    self.to = to
  }

  /// What an evaluation has found.
  package enum Change: Sendable, Equatable {
    case add(name: String, from: Int64, to: Int64, clock: Int? = nil)
    /// The one that began at a time, or before it, and went on ends before another, which is the beginning of what comes next; where the
    /// clock has been set back in between, with the last event.
    case close(name: String, from: Int64, before: Int64, last: Int64, clock: Int? = nil)
    /// Another clock holds from a time on; the time of the last event by the one before it was `last`. What goes on does so by the new one.
    /// Where that is an earlier one again, what was named in between counts no more: its numbers come again with the next clock.
    case turn(from: Int, to: Int, last: Int64, at: Int64)

    /// Nil: all of the launch.
    var name: String? {
      switch self {
      case .add(let name, _, _, _): name
      case .close(let name, _, _, _, _): name
      case .turn: nil
      }
    }

    var isTurn: Bool { if case .turn = self { true } else { false } }
  }
}

/// All stretches that there are. Saying something twice says it once.
struct StretchBook: Sendable, Equatable {
  static let format = 1
  /// Of more, those that were found first go: they have been sent long ago, or never will be.
  static let most = 4000
  static let maximumSize = 2 << 20
  /// Longer than anything is kept, in milliseconds: 100 days.
  static let longest: Int64 = 100 * 86_400_000

  private(set) var stretches: [ReplayStretch] = []
  /// The numbers of the clocks that launches have come to, where it is not the first; the latest last.
  var clocks: [LaunchClock] = []

  mutating func apply(_ change: ReplayStretch.Change, in launch: String) {
    switch change {
    case .close(let name, let from, let next, let last, let clock):
      // One that has been joined may begin earlier than it is said to.
      for index in stretches.indices where stretches[index].goesOn(in: launch, by: clock) {
        let open = stretches[index]
        guard open.name == name, open.from <= from else { continue }
        stretches[index].to = open.from < next ? next.subtracting(saturating: 1) : max(open.from, last)
      }
    case .turn(let old, let new, let last, let time):
      turn(from: old, to: new, last: last, at: time, in: launch)
    case .add(let name, let from, let to, let clock):
      if let clock, clock > self.clock(of: launch) { setClock(clock, of: launch) }
      let same = stretches.indices.filter {
        stretches[$0].launch == launch && stretches[$0].name == name && stretches[$0].clock == clock
      }
      // One that went on and has ended is not opened again by whoever looks a second time.
      if to == .max, same.contains(where: { stretches[$0].from == from }) { return }
      let new = ReplayStretch(launch: launch, name: name, from: from, to: to, clock: clock)
      // What goes on gets an end some day, which must not be that of one before it, where the clock was set back in between.
      let joined = same.last {
        stretches[$0].from <= new.to && new.from <= stretches[$0].to && (to != .max || stretches[$0].to == .max)
      }
      if let last = joined {
        stretches[last].from = min(stretches[last].from, new.from)
        stretches[last].to = max(stretches[last].to, new.to)
      } else {
        stretches.append(new)
        dropFirst()
      }
    }
  }

  private mutating func turn(from old: Int, to new: Int, last: Int64, at time: Int64, in launch: String) {
    var going: [ReplayStretch] = []
    for index in stretches.indices where stretches[index].goesOn(in: launch, by: old) {
      // Whoever looks a second time finds it by the new clock already.
      guard stretches[index].from <= last else { continue }
      stretches[index].to = max(stretches[index].from, last)
      going.append(
        ReplayStretch(launch: launch, name: stretches[index].name, from: time, to: .max, clock: new))
    }
    stretches.removeAll { $0.launch == launch && $0.clock ?? 0 > new }
    stretches += going.filter { !stretches.contains($0) }
    dropFirst()
    setClock(new, of: launch)
  }

  /// Takes what is written down, maybe by another process of the same app, but for launches in which this one has found something.
  mutating func adopt(_ written: StretchBook, except own: Set<String>) {
    stretches = written.stretches.filter { !own.contains($0.launch) } + stretches.filter { own.contains($0.launch) }
    clocks = written.clocks.filter { !own.contains($0.launch) } + clocks.filter { own.contains($0.launch) }
    dropFirst()
  }

  private mutating func dropFirst() {
    if stretches.count > Self.most { stretches.removeFirst(stretches.count - Self.most) }
  }

  /// Forgets what no replay has any more.
  mutating func forget(before now: Int64) {
    let first = now.subtracting(saturating: Self.longest)
    stretches.removeAll { ($0.to == .max ? $0.from : $0.to) < first }
    dropFirst()
  }

  func ranges(of launch: String?) -> [ClosedRange<Int64>] {
    // bounded: no greater than the greater of both.
    ReplayStretches.joined(
      stretches.filter { launch == nil || $0.launch == launch }.map { $0.from...max($0.from, $0.to) })
  }
}

extension ReplayStretches {
  /// Sorted and disjoint.
  package static func joined(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    var joined: [ClosedRange<Int64>] = []
    for range in ranges.ordered(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound.adding(saturating: 1) {
        // bounded: both begin at the lower bound of the last or later.
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}

extension StretchBook {
  /// What is written down: nothing where there is no file, and where nobody can make anything of it.
  ///
  /// - Throws: when there may be one that cannot be read now: a device that has not been unlocked since its start, too many open files.
  init(contentsOf url: URL) throws {
    self.init()
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return }
      throw CocoaError(.fileReadUnknown)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let bytes = try file.read(upToCount: Self.maximumSize + 1) ?? Data()
    guard bytes.count <= Self.maximumSize, let known = try? JSONDecoder().decode(StretchBook.self, from: bytes) else {
      return
    }
    self = known
  }

  func write(to url: URL) -> Bool {
    var book = self
    while let data = try? JSONEncoder().encode(book) {
      if data.count <= Self.maximumSize { return (try? data.writeProtected(to: url)) != nil }
      // Nobody would read it: names may be long.
      guard !book.stretches.isEmpty else { return false }
      book.stretches.removeFirst(max(1, book.stretches.count / 4))
    }
    return false
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension StretchBook: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    let format: Int = members.value("format")
    guard format == Self.format else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "format \(format) is not known"))
    }
    stretches = members.value("stretches", or: [])
    let clocks: [LaunchClock]? = members.value("clocks")
    self.clocks = clocks ?? []
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("format", Self.format)
    members.add("stretches", stretches)
    members.add("clocks", clocks.isEmpty ? nil : clocks)
    try members.end()
  }
}

extension ReplayStretch: Codable {
  package init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    let (from, to): (Int64, Int64) = (members.value("from"), members.value("to"))
    self.init(
      launch: members.value("launch"), name: members.value("name"), from: from, to: max(from, to),
      clock: members.value("clock"))
    try members.end()
  }

  package func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("launch", launch)
    members.add("name", name)
    members.add("from", from)
    members.add("to", to)
    members.add("clock", clock)
    try members.end()
  }
}
