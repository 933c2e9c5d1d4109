/// What is known of one hang while it lasts.
struct HangIncident: Sendable {
  /// Stacks that are equal, counted.
  struct Sample: Sendable {
    /// How long the hang had lasted when the stack was first seen, in milliseconds.
    var atMs: Int64
    var count: Int
    var stack: UnwoundStack
    /// The thread's number.
    var thread: UInt64
  }

  /// More different stacks than these say no more about where the time went.
  static let maximumStacks = 24
  /// How much the stacks may take in a report, in bytes: with all else, it stays far below what an event may have.
  static let maximumSize = 300_000

  /// Names the hang, in its provisional records and in its event.
  let id: String
  /// When the main thread's silence began, in milliseconds since 1970.
  let startedAt: Int64
  private(set) var samples: [Sample] = []
  /// Samples that were like none of ``samples``, when there was no more room.
  private(set) var others = 0
  /// Times at which the main thread's stack could not be had.
  private(set) var failures = 0
  /// What the frames' images are.
  private(set) var unwinder: StackUnwinder?
  private var size = 0

  init(id: String, startedAt: Int64) {
    self.id = id
    self.startedAt = startedAt
  }

  /// Adds what the main thread was doing; nil when that could not be found out.
  mutating func add(_ sample: MainThreadSample?, atMs: Int64) {
    guard let sample else {
      failures += 1
      return
    }
    unwinder = unwinder ?? sample.unwinder
    if let index = samples.firstIndex(where: { $0.stack.isLike(sample.stack) }) {
      samples[index].count += 1
    } else if samples.count < Self.maximumStacks, size &+ sample.stack.reportedSize <= Self.maximumSize {
      size &+= sample.stack.reportedSize
      samples.append(Sample(atMs: atMs, count: 1, stack: sample.stack, thread: sample.thread))
    } else {
      others += 1
    }
  }

  /// Where most of the time went: of stacks that were seen equally often, the first.
  var dominant: Sample? { samples.max { $0.count < $1.count } }
}

extension UnwoundStack {
  /// Roughly what the stack takes as JSON, in bytes.
  fileprivate var reportedSize: Int { frames.reduce(0) { $0 &+ 130 &+ ($1.symbol?.utf8.count ?? 0) } }

  /// The same calls. In the innermost function, each sample finds another instruction: there only the function counts.
  fileprivate func isLike(_ other: UnwoundStack) -> Bool {
    guard frames.count == other.frames.count, let mine = frames.first, let its = other.frames.first else {
      return frames.isEmpty && other.frames.isEmpty
    }
    let isSameFunction =
      mine.address == its.address
      || (mine.symbol != nil && mine.symbol == its.symbol && mine.image == its.image)
    return isSameFunction && frames.dropFirst().map(\.address) == other.frames.dropFirst().map(\.address)
  }
}
