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

  /// Whether telemetry can be moved, before the state is.
  func examineTelemetry(_ store: String) async throws {
    umask(0o077)
    let place = try Self.telemetry(store)
    let url = (data.map { URL(filePath: $0) } ?? DataDirectory.standard).absoluteURL
    try await Self.explained { try await Self.onThread { try TelemetryMove.examine(url, to: place) } }
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
    let there = done.done - done.erased - done.unreadable
    if json {
      let line: JSON = ["events": JSON(there), "erased": JSON(done.erased), "unreadable": JSON(done.unreadable)]
      return console.out(line.line)
    }
    console.out("ClickHouse has \(Format.count(there)) events of this directory")
    sayLeftOut(done.erased, done.unreadable)
    console.note(
      "Compare them: automobile store check --store. A collector with --store begins with an empty data directory; replays, symbols and sources stay where they are, see Documentation/Cluster.md."
    )
  }

  private func sayLeftOut(_ erased: Int, _ unreadable: Int) {
    if erased > 0 {
      Console.standard.note("\(Format.count(erased)) events are of somebody who was erased: they are not there")
    }
    if unreadable > 0 {
      Console.standard.note("\(Format.count(unreadable)) events cannot be read by this version: they are in quarantine there")
    }
  }

  func checkTelemetry(in store: String) async throws {
    let move = try await openMove(store)
    let result: TelemetryMove.Checked
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
        "events": JSON(result.same), "erased": JSON(result.erased), "unreadable": JSON(result.unreadable),
        "differences": .array(result.differences.map { .string($0.description) }),
      ]
      console.out(line.line)
    } else {
      console.out("\(Format.count(result.same)) events are the same")
      sayLeftOut(result.erased, result.unreadable)
      for difference in result.differences { console.out(console.style.red(Printable.text(difference.description))) }
    }
    guard result.differences.isEmpty else {
      throw Failure(message: "What ClickHouse has is not what the directory has.")
    }
  }
}
