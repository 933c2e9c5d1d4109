import ArgumentParser
import AutoMobileCollector
import AutoMobileState
import Foundation

/// What `automobile store` does with telemetry.
extension StoreOptions {
  static func telemetry(_ text: String) throws -> TelemetryPlace {
    do { return try TelemetryPlace(text) } catch { throw ValidationError("--store: \(error).") }
  }

  static func statePlace(_ text: String) throws -> StatePlace {
    do { return try StatePlace(text) } catch { throw ValidationError("--state: \(error).") }
  }

  /// For what waits.
  static func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { done in
      startThread { done.resume(with: Swift.Result { try body() }) }
    }
  }

  private func openMove(_ store: String) async throws -> TelemetryMove {
    umask(0o077)
    guard let state else {
      throw ValidationError("--state postgres://… of the collectors at --store is needed: it counts who writes there.")
    }
    let (place, shared) = (try Self.telemetry(store), try Self.statePlace(state))
    let url = (data.map { URL(filePath: $0) } ?? DataDirectory.standard).absoluteURL
    return try await Self.explained {
      try await Self.onThread { try TelemetryMove(url, to: place, state: shared) }
    }
  }

  private func progress(_ unit: String = "events") -> (TelemetryMove.Progress) -> Void {
    var bar: ProgressBar?
    return { progress in
      if bar == nil { bar = ProgressBar(Console.standard, total: progress.all, unit: unit) }
      bar?.update(progress.done)
      if progress.done >= progress.all { bar?.finish() }
    }
  }

  /// Whether telemetry can be moved, before the state is.
  func examineTelemetry(_ store: String) async throws {
    umask(0o077)
    let place = try Self.telemetry(store)
    let url = (data.map { URL(filePath: $0) } ?? DataDirectory.standard).absoluteURL
    try await Self.explained { try await Self.onThread { try TelemetryMove.examine(url, to: place) } }
  }

  /// - Parameter blobs: where replays are put; nil: they stay.
  func moveTelemetry(to store: String, replays blobs: BlobPlace?) async throws {
    let move = try await openMove(store)
    let done: TelemetryMove.Progress
    var replays: TelemetryMove.ReplayOutcome?
    let hasReplays: Bool
    do {
      done = try await Self.explained { try await move.move(onProgress: progress()) }
      hasReplays = try move.hasReplays
      if let blobs, hasReplays {
        replays = try await Self.explained { try await move.moveReplays(to: blobs, onProgress: progress("packs")) }
      }
    } catch {
      try? await Self.onThread { move.close() }
      throw error
    }
    try await Self.onThread { move.close() }
    let console = Console.standard
    let there = done.done - done.erased - done.unreadable
    if json {
      var line: [String: JSON] = [
        "events": JSON(there), "erased": JSON(done.erased), "unreadable": JSON(done.unreadable),
      ]
      line["replays"] = replays.map(Self.json)
      return console.out(JSON.object(line).line)
    }
    console.out("ClickHouse has \(Format.count(there)) events of this directory")
    sayLeftOut(done.erased, done.unreadable)
    if let replays { say(replays) }
    if hasReplays, blobs == nil {
      console.note("Its replays were not moved: name where the collectors there have theirs, with --blobs s3://….")
    }
    console.note(
      "Compare them: automobile store check --store. A collector with --store begins with an empty data directory; symbols and sources stay where they are, see Documentation/Cluster.md."
    )
  }

  private static func json(_ replays: TelemetryMove.ReplayOutcome) -> JSON {
    [
      "packs": JSON(replays.packs), "segments": JSON(replays.segments), "bytes": JSON(Int(replays.bytes)),
      "erased": JSON(replays.erased), "unreadable": JSON(replays.lost),
    ]
  }

  private func say(_ replays: TelemetryMove.ReplayOutcome) {
    let console = Console.standard
    console.out(
      "moved \(Format.count(replays.segments)) segments of replays in \(Format.count(replays.packs)) packs, \(Format.bytes(Int(replays.bytes)))"
    )
    if replays.erased > 0 {
      console.note("\(Format.count(replays.erased)) segments are of somebody who was erased: they are not there")
    }
    if replays.lost > 0 { console.note("\(Format.count(replays.lost)) segments cannot be read in the directory") }
  }

  private func sayLeftOut(_ erased: Int, _ unreadable: Int) {
    if erased > 0 {
      Console.standard.note("\(Format.count(erased)) events are of somebody who was erased: they are not there")
    }
    if unreadable > 0 {
      Console.standard.note(
        "\(Format.count(unreadable)) events cannot be read by this version: they are in quarantine there")
    }
  }

  /// - Parameter blobs: where replays were put; nil: they are not compared.
  func checkTelemetry(in store: String, replays blobs: BlobPlace?) async throws {
    let move = try await openMove(store)
    var result: TelemetryMove.Checked
    var segments: Int?
    let hasReplays: Bool
    do {
      result = try await Self.explained { try await move.check(onProgress: progress()) }
      hasReplays = try move.hasReplays
      if let blobs {
        let replays = try await Self.explained { try await move.checkReplays(in: blobs, onProgress: progress("packs")) }
        segments = replays.compared
        result.differences += replays.differences
      }
    } catch {
      try? await Self.onThread { move.close() }
      throw error
    }
    try await Self.onThread { move.close() }
    let console = Console.standard
    if json {
      var line: [String: JSON] = [
        "events": JSON(result.same), "erased": JSON(result.erased), "unreadable": JSON(result.unreadable),
        "differences": .array(result.differences.map { .string($0.description) }),
      ]
      line["segments"] = segments.map { JSON($0) }
      console.out(JSON.object(line).line)
    } else {
      console.out("\(Format.count(result.same)) events are the same")
      sayLeftOut(result.erased, result.unreadable)
      if let segments { console.out("compared \(Format.count(segments)) segments of replays") }
      if hasReplays, segments == nil {
        console.note("Replays were not compared: name where they were put, with --blobs s3://….")
      }
      for difference in result.differences { console.out(console.style.red(Printable.text(difference.description))) }
    }
    guard result.differences.isEmpty else {
      throw Failure(message: "What ClickHouse has is not what the directory has.")
    }
  }
}
