import AutoMobileSDK
import Foundation

extension Act {
  static let viewBodies: [Act] = [
    Act(
      "ViewBodyTracker.shared", "ViewBodyTracker.recordBodyEvaluation(id:viewName:)",
      "ViewBodyTracker.recordDuration(id:durationMs:)", weight: 40
    ) { random, _ in
      ViewBodyTracker.shared.recordBodyEvaluation(id: random.string(), viewName: random.optional { $0.string() })
      ViewBodyTracker.shared.recordDuration(id: random.string(), durationMs: random.double())
    },
    Act(
      "ViewBodyTracker.setEnabled(_:timerFactory:)", "ViewBodyTracker.isEnabled", "ViewBodyTracker.getSnapshots()",
      weight: 1
    ) { random, _ in
      ViewBodyTracker.shared.setEnabled(random.below(4) > 0, timerFactory: random.bool() ? { GCDTimer() } : nil)
      _ = (ViewBodyTracker.shared.isEnabled, ViewBodyTracker.shared.getSnapshots().count)
    },
  ]
}
