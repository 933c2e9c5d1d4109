import AutoMobileReplay
import AutoMobileSDK
import Testing
import UIKit

@MainActor @Suite struct `Marks that the app makes` {
  @Test func `the last one holds`() {
    let view = UIView()
    Replay.mask(view)
    #expect(MaskingRules.current.state(of: view) == .masked)
    Replay.unmask(view)
    #expect(MaskingRules.current.state(of: view) == .unmasked)
  }
}
