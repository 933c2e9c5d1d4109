import AutoMobileCollector
import Foundation
import NIOCore

/// What the collector holds of one launch's replay, against what the app says that it recorded.
struct DemoReplay: Equatable {
  var id = ""
  /// By the app's independent count of the frames that it handed to the recorder.
  var recorded = 0
  /// Of these frames, and of pictures of the whole screen in their place, three a second; by the app's own count, too.
  var frameBytes = 0
  var fullBytes = 0
  /// Whole frames in segments that play by themselves.
  var shown = 0
  var dropped = 0
  /// Of frames.
  var segments = 0
  var bytes = 0
  /// Lines of the hierarchy.
  var snapshots = 0
  /// Telemetry's events that carry its id.
  var events = 0
  var isConcluded = false
  /// How far the end that is told is from the real one, in milliseconds.
  var endOff: Int64?
  /// Segments that do not begin with a key frame, or hold something else than frames.
  var broken = 0
  /// A secret stands somewhere in it.
  var leaks = false

  static let mostEndOff: Int64 = 5000

  var holds: Bool { complaints.isEmpty }

  /// What is not as it has to be; one frame may have been on its way when the process was killed.
  var complaints: [String] {
    var all: [String] = []
    if shown == 0 || segments == 0 { all.append("there is nothing to see") }
    if shown + dropped < recorded || shown > recorded + 1 {
      all.append("\(recorded) frames were recorded, but \(shown) can be shown")
    }
    if snapshots == 0 { all.append("it has no wireframe") }
    if events == 0 { all.append("no event carries its id") }
    if broken > 0 { all.append("\(broken) segments cannot be played") }
    if !isConcluded { all.append("it was not concluded") }
    if let endOff, endOff > Self.mostEndOff { all.append("its end is wrong by \(endOff) ms") }
    if leaks { all.append("it shows what is masked") }
    return all
  }

  /// Whether the app has screens that could be recorded: the one for a Mac has none.
  static func areExpected(of story: [DemoStory.Launch]) throws -> Bool {
    try story.contains { try $0.frames.counters()[6] > 0 }
  }

  /// The replays of the story's launches, in order: as many as there are.
  static func read(
    _ client: CollectorClient, story: [DemoStory.Launch], events: [String: Int]
  ) async throws -> [DemoReplay] {
    var replays: [(first: Int64, json: JSON)] = []
    // Their ids begin with the time.
    for id in events.keys {
      let answer = try await client.raw("/api/replays/\(CollectorClient.segment(id))")
      guard answer.status == 200 else { continue }
      let json = try JSONDecoder().decode(JSON.self, from: Data(answer.body.readableBytesView))
      replays.append((json["first"]?.integer ?? .max, json))
    }
    replays.sort { $0.first < $1.first }
    var read: [DemoReplay] = []
    for ((_, json), launch) in zip(replays, story) {
      read.append(try await DemoReplay(client, json, launch, events))
    }
    return read
  }

  init() {}

  private init(
    _ client: CollectorClient, _ json: JSON, _ launch: DemoStory.Launch, _ events: [String: Int]
  ) async throws {
    id = json["replayId"]?.string ?? ""
    let counters = try launch.frames.counters()
    // Ended by the app itself, or with its process.
    let stop = counters[5] > 0 ? counters[5] : Int(launch.processEnd)
    (recorded, frameBytes) = (counters[0], counters[1])
    fullBytes = counters[2] + (counters[4] > 0 ? max(0, stop - counters[4]) / 333 * counters[3] : 0)
    bytes = json["bytes"]?.int ?? 0
    dropped = json["metrics"]?["framesDropped"]?.int ?? 0
    self.events = events[id] ?? 0
    let end = json["endedAt"]?.integer
    isConcluded = end != nil
    endOff = end.map { abs($0 - Int64(stop)) }
    for segment in json["segments"]?.array ?? [] {
      let name = CollectorClient.segment(segment["id"]?.string ?? "")
      let answer = try await client.raw("/api/replays/\(CollectorClient.segment(id))/segments/\(name)")
      guard answer.status == 200, let content = Self.content(answer) else {
        broken += 1
        continue
      }
      let data = Data(content.readableBytesView)
      if DemoStory.secrets.contains(where: { data.range(of: Data($0.utf8)) != nil }) { leaks = true }
      switch segment["kind"]?.string {
      case "screenshots":
        segments += 1
        let frames = Self.frames(in: content)
        shown += frames
        if frames == 0 || frames != segment["frames"]?.int { broken += 1 }
      case "hierarchy": snapshots += data.split(separator: UInt8(ascii: "\n")).count
      default: break
      }
    }
  }

  private static func content(_ answer: CollectorClient.Answer) -> ByteBuffer? {
    guard answer.headers.first(name: "Content-Encoding") == "gzip" else { return answer.body }
    return try? Inflater.gunzip(answer.body, limit: 64 << 20)
  }

  /// How many whole frame records there are (*Replay format*); none when the first is no key frame.
  static func frames(in content: ByteBuffer) -> Int {
    var content = content
    var count = 0
    while content.readableBytes > 0 {
      let start = content.readerIndex
      guard let version = FrameFormat.version(of: content), FrameFormat.versions.contains(version),
        content.readSlice(length: 4) != nil,
        let length = content.readInteger(endianness: .little, as: UInt32.self), length > 12,
        let flags = content.getInteger(at: start + 16, as: UInt8.self), count > 0 || flags & 1 == 1,
        content.readSlice(length: Int(length)) != nil
      else { return 0 }
      count += 1
    }
    return count
  }
}
