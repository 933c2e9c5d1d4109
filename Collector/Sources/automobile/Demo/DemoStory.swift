import AutoMobileCollector
import Foundation

/// The demo's three launches of the app, and how each ends.
struct DemoStory {
  let program: URL
  let directory: DemoDirectory
  let collector: URL
  let key: String?
  let shop: URL
  /// 1 is as slow as a person, less is quicker.
  let pace: Double
  /// Events stay on the device, but for summaries and what rules name.
  var keeps = false
  let say: @Sendable (String) -> Void

  struct Launch: Equatable {
    var end: AppProcess.End
    /// Has the app's independent count of the recording calls that returned.
    var witness: WitnessFile
    /// Calls that may have been under way when the process ended, or have not been counted.
    var threads: Int
    /// Has the app's independent count of the frames that it recorded.
    var frames: WitnessFile
    /// When its process ended, in milliseconds since 1970; 0 while it runs.
    var processEnd: Int64 = 0
  }

  /// What the person types or the app shows, and nobody who watches may read.
  static let secrets = ["correct horse", "4000 0566 5566 5556"]

  /// The launches, in order. `after` is awaited when one has died; `settled` is awaited while the third still runs: it waits until the collector has everything.
  func tell(
    after: () async throws -> Void = {}, settled: (_ launches: [Launch]) async throws -> Void
  ) async throws -> [Launch] {
    var launches: [Launch] = []

    say("launch 1  logs in, orders, pays at the second attempt")
    let first = try start(1)
    defer { first.kill() }
    try await expect(first, toSay: "burst")
    // A random moment, in microseconds, while four threads record.
    let moment = Int.random(in: 20_000...160_000)
    try await Task.sleep(for: .microseconds(moment))
    first.kill()
    // Four workers, and the timers of the SDK's own.
    launches.append(try await ended(first, number: 1, threads: 6))
    say("          killed with SIGKILL \(moment / 1000) ms into a burst from four threads")
    try await after()

    say("launch 2  comes back by a link, blocks its main thread for 2.5 s")
    let second = try start(2)
    defer { second.kill() }
    try await expect(second, toSay: "crash")
    // The tap on the button that crashes, of which nobody can tell any more.
    launches.append(try await ended(second, number: 2, threads: 3))
    say("          died of \(launches[1].end.description)")
    try await after()

    say("launch 3  comes back and delivers what the others left behind")
    let third = try start(3)
    defer { third.kill() }
    try await expect(third, toSay: "done")
    launches.append(
      Launch(
        end: .exit(0), witness: directory.witness(launch: 3), threads: 0, frames: directory.frames(launch: 3)))
    try await settled(launches)
    third.release()
    launches[2].end = try await ended(third, number: 3, threads: 0).end
    say("          exits normally, \(launches[2].end.description)")
    return launches
  }

  private func start(_ number: Int) throws -> AppProcess {
    let witness = directory.witness(launch: number)
    let frames = directory.frames(launch: number)
    for file in [witness, frames] { try file.create() }
    var arguments = [
      "--endpoint", collector.absoluteString, "--directory", directory.app.path, "--shop", shop.absoluteString,
      "--launch", String(number), "--witness", witness.url.path, "--frames", frames.url.path,
      "--pace", String(pace),
    ]
    if let key { arguments += ["--key", key] }
    if keeps { arguments += ["--upload", "triggered"] }
    return try AppProcess(program, arguments)
  }

  private func expect(_ app: AppProcess, toSay word: String) async throws {
    guard await app.says(word) else {
      try Task.checkCancellation()
      let end = await app.waitForEnd()
      throw Failure(
        message: "The app ended early (\(end.description)) instead of saying “\(word)”.",
        advice: "Run it by hand to see why: \(program.path)")
    }
  }

  private func ended(_ app: AppProcess, number: Int, threads: Int) async throws -> Launch {
    let end = await app.waitForEnd()
    try Task.checkCancellation()
    return Launch(
      end: end, witness: directory.witness(launch: number), threads: threads, frames: directory.frames(launch: number),
      processEnd: WallClock.now)
  }
}
