import NIOCore

/// Writes the records of a trace, each on a line of its own, as the Trace Event Format has them.
///
/// The line of a record that stands for an event of the session begins with its category, any other one with its phase: so who
/// copies a trace can count how many events have come without reading it.
struct TraceRecords {
  private var json = JSONOutput()

  /// Where a record belongs.
  struct Place: Sendable {
    var process: Int64
    var track: TraceTrack?

    /// Threads have numbers that no other process's have: some readers know them by these alone.
    var thread: Int64 { track.map { process * 100 + $0.rawValue } ?? 0 }
  }

  /// An event of the session, with what it has to say.
  struct Subject {
    var name: String
    var category: String
    var id: Int64
    var members: TraceMembers?
    /// More than the event itself says.
    var more: ((inout JSONOutput) -> Void)?

    fileprivate func write(to json: inout JSONOutput) {
      json.object {
        $0.member("event", id)
        members?.write(to: &$0)
        more?(&$0)
      }
    }
  }

  /// What has begun, with what it has to say: the format has one record for all of it, at its end.
  ///
  /// A begin and an end of their own would be shorter, but what begins and ends at one time is read the wrong way around.
  struct Begun {
    fileprivate var name: String
    fileprivate var category: String
    fileprivate var arguments: ByteBuffer
    let start: Int64
  }

  init() {
    json.lineBreak()
  }

  mutating func take() -> ByteBuffer { json.take() }
  var size: Int { json.buffer.readableBytes }

  // MARK: What the rows are called

  mutating func processName(_ process: Int64, _ name: String, order: Int64) {
    metadata("process_name", Place(process: process)) { $0.member("name", name) }
    metadata("process_sort_index", Place(process: process)) { $0.member("sort_index", order) }
  }

  mutating func trackName(_ place: Place) {
    metadata("thread_name", place) { $0.member("name", place.track?.name) }
    metadata("thread_sort_index", place) { $0.member("sort_index", place.track?.rawValue) }
  }

  private mutating func metadata(_ name: String, _ place: Place, _ arguments: (inout JSONOutput) -> Void) {
    json.object {
      $0.member("ph", "M")
      $0.member("name", name)
      $0.member("pid", place.process)
      $0.member("tid", place.thread)
      $0.object("args", arguments)
    }
    json.lineBreak()
  }

  // MARK: Events

  /// What lasts, and overlaps with nothing else of its row.
  mutating func slice(_ subject: Subject, _ place: Place, at start: Int64, for duration: Int64) {
    event(subject, "X", place, at: start) { $0.member("dur", duration) }
  }

  /// What lasts until the next of its row begins; ``end(_:_:at:)`` has to come before that.
  static func begin(_ subject: Subject, at time: Int64) -> Begun {
    var arguments = JSONOutput()
    subject.write(to: &arguments)
    return Begun(name: subject.name, category: subject.category, arguments: arguments.take(), start: time)
  }

  mutating func end(_ begun: Begun, _ place: Place, at time: Int64) {
    event(begun.name, begun.category, "X", place, at: begun.start) {
      $0.member("dur", max(0, time - begun.start))
      $0.member("args", json: begun.arguments)
    }
  }

  mutating func moment(_ subject: Subject, _ place: Place, at time: Int64) {
    event(subject, "i", place, at: time) { $0.member("s", "t") }
  }

  /// The begin of what may overlap with anything; ``end(_:_:_:at:)`` has to follow.
  mutating func begin(_ subject: Subject, _ place: Place, row: Int64, at time: Int64) {
    event(subject, "b", place, at: time) { Self.identify(&$0, row) }
  }

  mutating func end(_ name: String, _ category: String, _ place: Place, row: Int64, at time: Int64) {
    json.object {
      $0.member("ph", "e")
      $0.member("cat", category)
      $0.member("name", name)
      Self.place(&$0, place, time)
      Self.identify(&$0, row)
    }
    json.lineBreak()
  }

  /// Within its process: without, readers take rows of one number in two launches for one.
  private static func identify(_ json: inout JSONOutput, _ row: Int64) {
    json.object("id2") { $0.member("local", "0x" + String(row, radix: 16)) }
  }

  private mutating func event(
    _ subject: Subject, _ phase: String, _ place: Place, at time: Int64, _ members: (inout JSONOutput) -> Void
  ) {
    event(subject.name, subject.category, phase, place, at: time) {
      members(&$0)
      $0.name("args")
      subject.write(to: &$0)
    }
  }

  private mutating func event(
    _ name: String, _ category: String, _ phase: String, _ place: Place, at time: Int64,
    _ members: (inout JSONOutput) -> Void
  ) {
    json.object {
      $0.member("cat", category)
      $0.member("ph", phase)
      $0.member("name", name)
      Self.place(&$0, place, time)
      members(&$0)
    }
    json.lineBreak()
  }

  private static func place(_ json: inout JSONOutput, _ place: Place, _ time: Int64) {
    json.member("pid", place.process)
    json.member("tid", place.thread)
    json.member("ts", time)
  }

  // MARK: Measurements

  /// What is no number is left out, and with it a measurement that has no other.
  mutating func counter(_ name: String, _ process: Int64, at time: Int64, _ series: [(String, Double)]) {
    let series = series.filter(\.1.isFinite)
    guard !series.isEmpty else { return }
    json.object {
      $0.member("ph", "C")
      $0.member("name", name.isEmpty ? "?" : name)
      Self.place(&$0, Place(process: process), time)
      $0.object("args") { for (name, value) in series { $0.member(name, number: value) } }
    }
    json.lineBreak()
  }

  /// Stacks that were seen, as V8 writes a profile: the one form of this format's samples that Perfetto reads.
  mutating func profile(_ samples: HangSamples, _ place: Place, number: Int64) {
    for name in ["Profile", "ProfileChunk"] {
      json.object {
        $0.member("ph", "P")
        $0.member("cat", "disabled-by-default-v8.cpu_profiler")
        $0.member("name", name)
        Self.place(&$0, place, samples.start)
        $0.member("id", "0x" + String(number, radix: 16))
        $0.object("args") {
          $0.object("data") {
            if name == "Profile" { $0.member("startTime", samples.start) } else { samples.write(to: &$0) }
          }
        }
      }
      json.lineBreak()
    }
  }
}
