import AutoMobileSDK
import Foundation

extension Act {
  static let upload: [Act] = [
    Act("AutoMobileSDK.capture(reason:)") { random, stage in stage.sdk.capture(reason: random.string()) },
    Act(
      "UploadRules.standard", "UploadRules.maximumRules", "UploadStatus.init()", "SdkSessionSummaryEvent.maximumSize",
      "UploadSpan.maximumMinutes", "UploadEvent.maximumConditions"
    ) { _, stage in
      _ = (UploadRules.standard, UploadRules.maximumRules, SdkSessionSummaryEvent.maximumSize)
      _ = (UploadSpan.maximumMinutes, UploadEvent.maximumConditions)
      _ = (UploadStatus(), stage.sdk.diagnostics.upload)
    },
    Act(
      "UploadRules.init(_:keepDays:bytesPerDay:cellularBytesPerDay:)", "UploadRule.init(_:when:send:)",
      "UploadSpan.init(minutesBefore:minutesAfter:perDay:priority:replay:bodies:)",
      "UploadRequest.init(host:pathPrefix:method:status:atLeastMs:failed:)", "UploadEvent.init(type:name:where:)",
      "UploadCondition.init(_:_:)"
    ) { random, stage in
      let rules = (0..<random.below(100)).map { _ in rule(&random) }
      var all = UploadRules(
        rules, keepDays: random.int(), bytesPerDay: random.optional { $0.int() },
        cellularBytesPerDay: random.optional { $0.int() })
      all.keepDays = random.int()
      all.bytesPerDay = random.int()
      stage.sdk.initialize(bundleId: nil, configuration: AutoMobileConfiguration(upload: .whenTriggered(all)))
    },
  ]

  private static func rule(_ random: inout Hostile) -> UploadRule {
    let conditions = (0..<random.below(6)).map { _ in
      UploadCondition(
        random.string(),
        random.one(of: [
          .equals(.string(random.string())), .contains(random.string()), .atLeast(random.double()),
          .atMost(random.double()),
        ]))
    }
    let trigger: UploadTrigger = random.one(of: [
      .crash, .hang(atLeastMs: random.double()), .frozenFrames(atLeast: random.int()),
      .sessions(fraction: random.double()), .log(atLeast: .error, tag: random.optional { $0.string() }),
      .event(UploadEvent(name: random.optional { $0.string() }, where: conditions)),
      .request(
        UploadRequest(
          host: random.optional { $0.string() }, pathPrefix: random.optional { $0.string() },
          method: random.optional { $0.string() }, status: random.one(of: [nil, 500...599, Int.min...Int.max]),
          atLeastMs: random.double(), failed: random.bool())),
    ])
    var span = UploadSpan(
      minutesBefore: random.double(), minutesAfter: random.double(), perDay: random.int(), priority: random.int(),
      replay: random.bool(), bodies: random.bool())
    span.minutesBefore = random.double()
    return UploadRule(random.string(), when: trigger, send: span)
  }
}
