import ReplayTesting
import Testing
import UIKit

/// How much less a replay is than pictures of the whole screen. The counts are exact; `make bench-adapters` prints all.
@MainActor @Suite struct `Bytes of a replay` {
  private func measure(_ screen: SyntheticScreen, frames: Int = 90) throws -> ReplayBytes {
    let result = try ReplayBytes.measure(screen, frames: frames)
    #expect(result.worstPSNR > result.worstFullPSNR - 1.5, "\(result): as near to the screen as full pictures")
    return result
  }

  @Test func `a screen that stands costs one picture`() throws {
    let result = try measure(.form())
    #expect(result.records == 1)
    #expect(result.share <= 1.0 / 50)
  }

  @Test func `typing costs a twentieth`() throws {
    #expect(try measure(.typing()).share <= 1.0 / 20)
  }

  @Test func `scrolling costs a third`() throws {
    let result = try measure(.list(by: 75, "scrolling"))
    #expect(result.moves > 80)
    #expect(result.share <= 1.0 / 3)
  }

  @Test func `scrolling by parts of a pixel costs a third, and is near while it moves`() throws {
    let result = try ReplayBytes.measure(.list(by: 73, "scrolling"), frames: 90)
    #expect(result.moves > 80)
    #expect(result.share <= 1.0 / 3)
    #expect(result.worstPSNR > 20)
  }

  @Test(arguments: [false, true]) func `a video costs hardly more than its pictures`(isFull: Bool) throws {
    #expect(try measure(.video(isFull: isFull), frames: 20).share <= 1.1)
  }
}
