import Foundation

/// Reads events from their JSON: what observers of batches get.
public enum SdkEventDecoder {
  /// Decodes an event, as one of the sixteen types by its `eventType`.
  ///
  /// An event that is none of them, or of the app's own making, becomes an ``SdkCustomEvent`` that is named by its
  /// `eventType` and has all its other members as properties: nothing is lost.
  ///
  /// - Throws: `DecodingError` when `json` is no JSON object.
  public static func decode(_ json: Data) throws -> any SdkEvent {
    let decoder = JSONDecoder()
    if let type = (try? decoder.decode(Head.self, from: json))?.eventType,
      let event = try? decoder.decode(eventStruct(of: type), from: json)
    {
      return event
    }
    var members = try decoder.decode([String: MetadataValue].self, from: json)
    var name = "unknown"
    var timestamp: Int64 = 0
    if case .string(let type)? = members["eventType"] {
      name = type
      members["eventType"] = nil
    }
    if case .int(let time)? = members["timestamp"] {
      timestamp = time
      members["timestamp"] = nil
    }
    return SdkCustomEvent(timestamp: timestamp, name: name, properties: members)
  }

  private struct Head: Decodable {
    var eventType: SdkEventType
  }

  private static func eventStruct(of type: SdkEventType) -> any SdkEvent.Type {
    switch type {
    case .navigation: SdkNavigationEvent.self
    case .handledException: SdkHandledExceptionEvent.self
    case .crash: SdkCrashEvent.self
    case .hang: SdkHangEvent.self
    case .networkRequest: SdkNetworkRequestEvent.self
    case .webSocketFrame: SdkWebSocketFrameEvent.self
    case .log: SdkLogEvent.self
    case .lifecycle: SdkLifecycleEvent.self
    case .custom: SdkCustomEvent.self
    case .notificationAction: SdkNotificationActionEvent.self
    case .viewBodySnapshot: SdkViewBodySnapshotEvent.self
    case .broadcast: SdkBroadcastEvent.self
    case .interaction: SdkInteractionEvent.self
    case .storageChanged: SdkStorageChangedEvent.self
    case .span: SdkSpanEvent.self
    case .sessionSummary: SdkSessionSummaryEvent.self
    }
  }
}
