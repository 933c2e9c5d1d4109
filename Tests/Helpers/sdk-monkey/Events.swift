import AutoMobileSDK
import Foundation

extension Act {
  /// An event of any of the SDK's types.
  static func event(_ random: inout Hostile) -> any SdkEvent {
    let time = random.int64()
    let text = random.string()
    switch random.below(14) {
    case 0:
      return SdkNavigationEvent(
        timestamp: time, destination: text, source: random.one(of: [.swiftUINavigation, .uiKitNavigation, .deepLink]),
        arguments: random.strings(), metadata: random.strings())
    case 1:
      return SdkHandledExceptionEvent(
        timestamp: time, errorDomain: text, errorMessage: random.optional { $0.string() }, stackTrace: text,
        customMessage: random.optional { $0.string() }, currentScreen: random.optional { $0.string() }, bundleId: text,
        appVersion: random.optional { $0.string() }, deviceInfo: device(&random))
    case 2:
      return SdkCrashEvent(
        timestamp: time, errorDomain: text, errorMessage: text, stackTrace: text, currentScreen: nil, bundleId: text,
        appVersion: nil, deviceInfo: device(&random), report: random.below(20) == 0 ? report(&random) : nil)
    case 3:
      return SdkNetworkRequestEvent(
        timestamp: time, url: text, method: random.string(), requestHeaders: random.optional { $0.strings() },
        requestBodySize: random.int(), statusCode: random.optional { $0.int() }, durationMs: random.double(),
        error: random.optional { $0.string() }, requestBody: text, contentType: text)
    case 4:
      return SdkWebSocketFrameEvent(
        timestamp: time, url: text, direction: random.one(of: [.sent, .received]),
        frameType: random.one(of: [.text, .binary, .ping, .pong, .close]), payloadSize: random.optional { $0.int() })
    case 5:
      return SdkLogEvent(
        timestamp: time, level: level(&random), tag: random.optional { $0.string() }, message: text, filterName: text)
    case 6: return SdkLifecycleEvent(timestamp: time, state: text, bundleId: nil, details: random.strings())
    case 7: return SdkCustomEvent(timestamp: time, name: text, properties: random.strings())
    case 8: return SdkNotificationActionEvent(timestamp: time, actionId: text, notificationTitle: text)
    case 9:
      return SdkViewBodySnapshotEvent(
        timestamp: time,
        snapshots: [
          ViewBodySnapshot(
            id: text, viewName: text, totalCount: random.int(), rollingAverage: random.double(),
            averageDurationMs: random.double())
        ])
    case 10:
      return SdkBroadcastEvent(
        timestamp: time, action: text, categories: random.array(), infoKeyTypes: random.strings())
    case 11: return SdkInteractionEvent(timestamp: time, interactionType: text, properties: random.strings())
    case 12:
      return SdkStorageChangedEvent(
        timestamp: time, suiteName: text, key: text, newValue: text, valueType: text, sequenceNumber: random.int64())
    default:
      let properties: [String: MetadataValue] = random.properties()
      return SdkCustomEvent(timestamp: time, name: text, properties: properties)
    }
  }

  static func device(_ random: inout Hostile) -> SdkDeviceInfo {
    SdkDeviceInfo(model: random.string(), osVersion: random.string(), systemName: random.string())
  }

  static func level(_ random: inout Hostile) -> LogLevel { LogLevel(rawValue: random.below(6)) ?? .info }

  /// That the initializers which `event` calls are public.
  static let values: [Act] = [
    Act(
      "SdkBroadcastEvent.init(timestamp:action:categories:infoKeyTypes:)",
      "SdkCrashEvent.init(timestamp:errorDomain:errorMessage:stackTrace:currentScreen:bundleId:appVersion:deviceInfo:report:)",
      "SdkCustomEvent.init(timestamp:name:properties:)", "SdkCustomEvent.init(timestamp:name:properties:)",
      "SdkHandledExceptionEvent.init(timestamp:errorDomain:errorMessage:stackTrace:customMessage:currentScreen:bundleId:"
        + "appVersion:deviceInfo:errorCode:underlyingErrors:report:fingerprint:)",
      "SdkHangEvent.init(timestamp:durationMs:stackTrace:bundleId:currentScreen:report:)",
      "SdkInteractionEvent.init(timestamp:interactionType:properties:)",
      "SdkLifecycleEvent.init(timestamp:state:bundleId:details:)",
      "SdkLogEvent.init(timestamp:level:tag:message:filterName:metadata:source:)",
      "SdkNetworkRequestEvent.init(timestamp:url:method:requestHeaders:requestBodySize:statusCode:responseHeaders:"
        + "responseBodySize:durationMs:error:host:path:requestBody:responseBody:contentType:requestId:)",
      "SdkNotificationActionEvent.init(timestamp:actionId:notificationTitle:)",
      "SdkStorageChangedEvent.init(timestamp:suiteName:key:newValue:valueType:sequenceNumber:changeType:previousValue:)",
      "SdkViewBodySnapshotEvent.init(timestamp:snapshots:)",
      "SdkWebSocketFrameEvent.init(timestamp:url:direction:frameType:payloadSize:requestId:)",
      "ViewBodySnapshot.init(id:viewName:totalCount:rollingAverage:averageDurationMs:)",
      "EventJSONWriter.maximumSize", "EventJSONWriter.head(_:_:)", "EventJSONWriter.member(_:_:)",
      "EventJSONWriter.member(_:_:)", "EventJSONWriter.member(_:_:)", "EventJSONWriter.member(_:_:)",
      "EventJSONWriter.member(_:_:)", "EventJSONWriter.member(_:_:)", "EventJSONWriter.member(_:_:)",
      "EventJSONWriter.member(_:_:)", "EventJSONWriter.object(_:_:)", "EventJSONWriter.objects(_:_:_:)"
    ) { random, stage in record(&random, stage.sdk) },
    Act("SdkEventEnvelope.init(_:)", "SdkEventEnvelope.event()", weight: 4) { random, _ in
      let envelope = try? SdkEventEnvelope(WrittenEvent(&random))
      _ = try? envelope?.event()
    },
    Act(
      "SdkEventEnvelope.init(rawEventType:payload:sequence:)",
      "SdkEventBatch.init(bundleId:events:timestamp:batchId:sequence:)",
      weight: 4
    ) { random, _ in
      let envelope = SdkEventEnvelope(
        rawEventType: random.string(), payload: random.data(), sequence: UInt64(truncatingIfNeeded: random.int()))
      let batch = SdkEventBatch(bundleId: random.string(), events: [envelope], timestamp: random.int64())
      if let json = try? JSONEncoder().encode(batch) { _ = try? JSONDecoder().decode(SdkEventBatch.self, from: json) }
    },
    Act("SdkEventDecoder.decode(_:)", weight: 4) { random, _ in _ = try? SdkEventDecoder.decode(random.data()) },
    Act("SdkContextSnapshot.init(sessionId:userId:appVersion:tags:)", "MetadataValue.maximumDepth", weight: 4) {
      random, _ in
      let snapshot = SdkContextSnapshot(
        sessionId: random.string(), userId: nil, appVersion: random.string(), tags: random.strings())
      _ = try? JSONEncoder().encode(snapshot)
      if let json = try? JSONEncoder().encode(random.metadata()) {
        _ = try? JSONDecoder().decode(MetadataValue.self, from: json)
      }
      let literal: MetadataValue = ["a": 1, "b": [nil, 1.5, true, "c"], "a": nil]
      _ = literal == .null
    },
    Act("RetryPolicy.init(maxRetries:baseDelayMs:maxDelayMs:)", "RetryPolicy.shouldRetry(statusCode:attempt:)") {
      random, _ in
      let policy = RetryPolicy(maxRetries: random.int(), baseDelayMs: random.int(), maxDelayMs: random.int())
      _ = policy.shouldRetry(statusCode: random.one(of: [0, 200, 429, 503, random.int()]), attempt: random.int())
    },
    Act("LogLevel.<(_:_:)") { random, _ in
      _ = level(&random) < level(&random)
    },
  ]
}
