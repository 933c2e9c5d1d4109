import ArgumentParser
import AutoMobileCollector
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
      Thread.detachNewThread { done.resume(with: Swift.Result { try body() }) }
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

  private func progress() -> (TelemetryMove.Progress) -> Void {
    var bar: ProgressBar?
    return { progress in
      if bar == nil { bar = ProgressBar(Console.standard, total: progress.all, unit: "events") }
      bar?.update(progress.done)
      if progress.done >= progress.all { bar?.finish() }
    }
  }

  func moveTelemetry(to store: String) async throws {
    let move = try await openMove(store)
    let done: TelemetryMove.Progress
    do {
      done = try await Self.explained { try await move.move(onProgress: progress()) }
    } catch {
      try? await Self.onThread { move.close() }
      throw error
    }
    try await Self.onThread { move.close() }
    let console = Console.standard
    if json { return console.out((["events": JSON(done.done)] as JSON).line) }
    console.out("ClickHouse has \(Format.count(done.done)) events of this directory")
    console.note("Compare them: automobile store check --store. Replays are not moved; the directory is as it was.")
  }

  func checkTelemetry(in store: String) async throws {
    let move = try await openMove(store)
    let result: (compared: Int, differences: [TelemetryMove.Difference])
    do {
      result = try await Self.explained { try await move.check(onProgress: progress()) }
    } catch {
      try? await Self.onThread { move.close() }
      throw error
    }
    try await Self.onThread { move.close() }
    let console = Console.standard
    if json {
      let line: JSON = [
        "events": JSON(result.compared), "differences": .array(result.differences.map { .string($0.description) }),
      ]
      console.out(line.line)
    } else {
      console.out("compared \(Format.count(result.compared)) events")
      for difference in result.differences { console.out(console.style.red(Printable.text(difference.description))) }
    }
    guard result.differences.isEmpty else {
      throw Failure(message: "What ClickHouse has is not what the directory has.")
    }
  }
}
