import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

/// The interception is on for as long as anybody wants it.
@Suite struct AskerTests {
  private final class Asker: Sendable {}

  /// Every sequence of asking and letting go by three, up to a length, against a set of those who asked.
  @Test func `in every order, the last one who lets go switches it off, and asking twice counts once`() {
    let interception = NetworkInterception.shared
    let askers = [Asker(), Asker(), Asker()]
    var stories: [[(Int, Bool)]] = [[]]
    for _ in 0..<4 {
      stories = stories.flatMap { story in
        askers.indices.flatMap { asker in [story + [(asker, true)], story + [(asker, false)]] }
      }
    }
    for story in stories {
      var asked: Set<Int> = []
      for (asker, isOn) in story {
        if isOn { interception.activate(for: askers[asker]) } else { interception.deactivate(for: askers[asker]) }
        if isOn { asked.insert(asker) } else { asked.remove(asker) }
        if interception.isActive == asked.isEmpty { Issue.record("\(story)") }
      }
      for asker in askers { interception.deactivate(for: asker) }
      if interception.isActive { Issue.record("\(story) and then nobody") }
    }
  }

  @Test func `however many threads ask and let go, it ends up as the last of them wants it`() {
    let interception = NetworkInterception.shared
    let keeper = Asker()
    for isKept in [true, false] {
      DispatchQueue.concurrentPerform(iterations: 4) { turn in
        let asker = Asker()
        for _ in 0..<200 {
          interception.activate(for: asker)
          interception.deactivate(for: asker)
        }
        if turn == 0, isKept { interception.activate(for: keeper) }
      }
      #expect(interception.isActive == isKept)
      interception.deactivate(for: keeper)
    }
  }

  @Test func `a network subsystem that is reset, or off, wants nothing`() throws {
    let harness = try NetworkHarness()
    harness.network.startInterception()
    #expect(harness.network.isIntercepting)
    harness.network.reset()
    #expect(!NetworkInterception.shared.isActive)

    let off = try NetworkHarness()
    off.sdk.sdk.setEnabled(false, for: .network)
    off.network.register(in: .ephemeral)
    #expect(!NetworkInterception.shared.observers.contains { $0 === off.network })
    off.sdk.sdk.setEnabled(true, for: .network)
    #expect(NetworkInterception.shared.observers.contains { $0 === off.network })
  }
}
