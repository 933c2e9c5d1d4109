#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
import Foundation
import Testing

/// B5: the launch of a real process.
@Suite struct LaunchTimeProcessTests {
  private func launch(_ variables: [String: String] = [:]) async throws -> ([String: MetadataValue], Int64) {
    let directory = try TemporaryDirectory()
    let before = Clocks.continuousMilliseconds()
    let run = try LaunchRun("launch-time", in: directory, variables: variables)
    let (line, status) = await run.end()
    try #require(status == 0)
    return (
      try JSONDecoder().decode([String: MetadataValue].self, from: line), Clocks.continuousMilliseconds() - before
    )
  }

  private func number(_ value: MetadataValue?) throws -> Int64 {
    guard case .int(let number) = try #require(value) else { throw CocoaError(.coderReadCorrupt) }
    return number
  }

  @Test func `B5: a process that works for 150 ms before it starts the SDK tells so`() async throws {
    let (properties, whole) = try await launch(["VICTIM_WORKS_MS": "150"])
    #expect(properties["kind"] == "cold")
    let preMain = try number(properties["preMainMs"])
    let toInitialize = try number(properties["mainToInitializeMs"])
    #expect(preMain >= 0)
    #expect(toInitialize >= 150)
    #expect(try number(properties["totalMs"]) == preMain + toInitialize)
    // The kernel counts in hundredths of a second.
    #expect(preMain + toInitialize <= whole + 20)
    #expect(properties["initializeToFirstFrameMs"] == nil, "there is no screen")
  }

  @Test func `B5: a process that the system made in advance is told apart`() async throws {
    let (properties, _) = try await launch(["ActivePrewarm": "1"])
    #expect(properties == ["kind": "prewarmed"])
  }
}
#endif
