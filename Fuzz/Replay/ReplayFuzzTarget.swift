import AutoMobileSDK
import Foundation

@testable import AutoMobileReplay

/// What bytes from outside go through in session replay: frames, what a collector answers, and what an earlier launch left.
/// Each target calls the parsers and then checks what they promised; a broken promise ends the process, which is how
/// libFuzzer is told.
enum FuzzTarget: String, CaseIterable {
  case frames, answer, left

  func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .frames: Self.frames(Data(bytes))
    case .answer: Self.answer(Data(bytes))
    case .left: Self.left(Data(bytes))
    }
  }

  private static func frames(_ bytes: Data) {
    var reader = FrameReader(bytes)
    let player = FramePlayer(codec: Colours())
    var left = bytes.count
    for _ in 0...bytes.count {
      do {
        guard let record = try reader.next() else { return }
        // What a later version puts at a record's end is left out when it is written again.
        let again = try FrameRecord.first(in: record.bytes)
        expect(again == record, "a record is read as it is written")
        expect(record.atlas.count <= left, "no record is longer than its bytes")
        expect(record.references.allSatisfy { (1...1000).contains($0.back) }, "what is referred to was before")
        left -= record.atlas.count
        _ = try player.show(record)
      } catch {
        expect(error is FrameError, "nothing else is thrown")
      }
    }
  }

  /// Three bytes for a status; the rest up to a line's end is a header, and then comes the body.
  private static func answer(_ bytes: Data) {
    let status = bytes.prefix(3).reduce(0) { ($0 * 10 + Int($1 % 10)) }
    let rest = bytes.dropFirst(3)
    let line = rest.prefix { $0 != 0x0A }
    let answer = HTTPAnswer(
      status: status, headers: ["retry-after": String(decoding: line, as: UTF8.self)],
      body: Data(rest.dropFirst(line.count + 1)))
    let configuration = RemoteReplayConfiguration(json: answer.json)
    expect((0...100).contains(configuration.sampleRate), "a share of launches")
    for draw in [0, 50, 99.9] {
      guard case .record(let plan) = configuration.decision(draw: draw) else { continue }
      expect((1000...86_400_000).contains(plan.maximumMs), "a recording lasts between a second and a day")
      expect(plan.framesPerSecond.map { $0 > 0 && $0 <= 30 } ?? true, "a rate that a phone has")
    }
    if case .wait(let milliseconds) = UploadVerdict(answer, now: 1_700_000_000_000) {
      expect((1000...RetryAfter.longest).contains(milliseconds), "a collector silences nobody for long")
    }
  }

  /// A file's name, and the records of a journal.
  private static func left(_ bytes: Data) {
    let name = String(decoding: bytes.prefix(100), as: UTF8.self)
    if let file = FrameFile(name: name) {
      expect(FrameFile(name: file.name) == file, "a name is read as it is written")
      expect(!file.name.contains("/"), "a name stays in its directory")
    }
    if SessionDirectory.isId(name) {
      expect(!name.contains("/") && !name.contains("."), "an id stays in its directory")
      _ = SessionDirectory(id: name, in: URL(fileURLWithPath: "/tmp")).changedAt
    }
    let decoder = JSONDecoder()
    let session =
      (try? decoder.decode(SessionRecord.self, from: bytes))
      ?? SessionRecord(id: "", startedAt: 0, isTelemetryOnly: false)
    let checkpoint = try? decoder.decode(Checkpoint.self, from: bytes)
    let entry = try? decoder.decode(FrameEntry.self, from: bytes)
    let ending = Recovery.ending(session, checkpoint, lastSeen: entry.flatMap { FrameFile(name: $0.name)?.timestamp })
    expect(ending.closeAnchorAt >= session.startedAt, "no session ends before it began")
    _ = try? decoder.decode(ReplayEnding.self, from: bytes)
  }

  private static func expect(_ promise: Bool, _ what: String) {
    if !promise { fatalError("broken: \(what)") }
  }
}

extension FrameRecord {
  fileprivate static func first(in bytes: Data) throws -> FrameRecord? {
    var reader = FrameReader(bytes)
    return try reader.next()
  }
}

/// Takes any bytes for a picture, two of which say how large it is; but reads PNGs.
private struct Colours: PictureCodec {
  func encode(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double) -> Data? { nil }

  func decode(_ bytes: Data) -> Picture? {
    if IndexedPNG.isOne(bytes) { return IndexedPNG.decode(bytes) }
    guard let width = bytes.first, let height = bytes.dropFirst().first else { return nil }
    return Picture(width: Int(width) * 2, height: Int(height) * 2)
  }
}
