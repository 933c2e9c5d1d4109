import AutoMobileClickHouse
import Foundation
import GRDB
import NIOCore

/// Compares replays that were moved.
extension ReplayMove {
  /// Compares each segment: its replay, times and bytes.
  ///
  /// - Parameter most: differences after which it ends.
  func check(most: Int, _ onProgress: (TelemetryMove.Progress) -> Void) async throws -> (
    compared: Int, differences: [TelemetryMove.Difference]
  ) {
    guard let progress = try read(), progress.isDone else {
      throw CollectorError.telemetryUnusable(
        reason:
          "this directory's replays have not been moved, or not to their end: automobile store move --blobs does that"
      )
    }
    guard progress.blobs == place else { throw CollectorError.blobsElsewhere(known: progress.blobs, given: place) }
    let names = try await packs()
    var (compared, differences) = (0, [TelemetryMove.Difference]())
    var shown = TelemetryMove.Progress(all: names.count)
    let there = ReplayPacks(spool: PackSpool(reading: path + "/moved"), blobs: to)
    for name in names where differences.count < most {
      let segments = try await segments(of: name)
      let found = try await self.there(segments.map(\.segment))
      for wanted in segments where differences.count < most {
        compared += 1
        let segment = wanted.segment
        let problem = try await unlike(wanted, found[Key(segment)], there)
        if let problem {
          differences.append(
            .init(description: "segment \(segment.part.part.segmentId) of replay \(segment.replay) \(problem)"))
        }
      }
      shown.done += 1
      onProgress(shown)
    }
    return (compared, differences)
  }

  private struct Key: Hashable {
    var project: String
    var replay: String
    var segment: String

    init(_ segment: ReplayNews.Segment) {
      (project, replay, self.segment) = (segment.project, segment.replay, segment.part.part.segmentId)
    }
  }

  /// - Returns: nil: they are the same.
  private func unlike(
    _ wanted: Segment, _ found: ReplayNews.Segment?, _ there: ReplayPacks
  ) async throws -> String? {
    guard !wanted.isErased else { return found == nil ? nil : "is there, and was erased" }
    let (one, place) = (wanted.segment.part, wanted.segment.part.place)
    guard let place else { return nil }
    let own: ByteBuffer
    do { own = try await from.read(place) } catch let error as BlobError
      where error.kind == .missing || error.kind == .damaged
    {
      return found == nil ? "cannot be read in the directory, and is not there" : nil
    }
    guard let found, let other = found.part.place else { return "is not there" }
    var columns: [String] = []
    if one.part != found.part.part { columns.append("what is said of it") }
    if one.hash != found.part.hash { columns.append("hash") }
    if wanted.segment.received != found.received { columns.append("received") }
    do {
      if try await there.read(other) != own { columns.append("bytes") }
    } catch let error as BlobError where error.kind == .missing || error.kind == .damaged {
      columns.append("bytes, which cannot be read")
    }
    return columns.isEmpty ? nil : "is another one: \(columns.joined(separator: ", "))"
  }

  private func there(_ segments: [ReplayNews.Segment]) async throws -> [Key: ReplayNews.Segment] {
    var found: [Key: ReplayNews.Segment] = [:]
    for some in segments.chunks(of: 200) {
      let list = AutoMobileClickHouse.SQL.joined(
        some.map { "(\(text: $0.project), \(text: $0.replay), \(text: $0.part.part.segmentId))" }, ", ")
      for segment in try await ReplayIndexRows.read(
        ["(project, replay, segment) IN (\(list))"], cluster)
      {
        found[Key(segment)] = segment
      }
    }
    return found
  }
}
