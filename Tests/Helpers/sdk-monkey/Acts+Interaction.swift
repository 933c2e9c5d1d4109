import AutoMobileSDK

extension Act {
  static let interaction: [Act] = [
    Act(
      "AutoMobileInteractionTracker.shared",
      "AutoMobileInteractionTracker.recordTap(x:y:accessibilityLabel:accessibilityIdentifier:viewType:text:)"
    ) { random, _ in
      AutoMobileInteractionTracker.shared.recordTap(
        x: random.double(), y: random.double(), accessibilityLabel: random.optional { $0.string() },
        accessibilityIdentifier: random.optional { $0.string() }, viewType: random.optional { $0.string() },
        text: random.optional { $0.string() })
    },
    Act("AutoMobileInteractionTracker.setEnabled(_:)", "AutoMobileInteractionTracker.isEnabled", weight: 2) {
      random, _ in
      AutoMobileInteractionTracker.shared.setEnabled(random.below(4) > 0)
      _ = AutoMobileInteractionTracker.shared.isEnabled
    },
  ]
}
