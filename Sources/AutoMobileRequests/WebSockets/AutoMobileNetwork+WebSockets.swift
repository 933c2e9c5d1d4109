import AutoMobileHTTP
import AutoMobileRecorder
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AutoMobileNetwork {
  /// A WebSocket task that records what goes over it; use it in the task's place.
  ///
  ///     let socket = AutoMobileNetwork.shared.webSocket(session.webSocketTask(with: url))
  ///     socket.resume()
  ///     try await socket.send(.string("hello"))
  ///     let answer = try await socket.receive()
  ///
  /// Frames are recorded with their sizes, and in debug builds with their payloads when bodies are captured. All share one
  /// `requestId`, also with the request that opened the connection.
  public func webSocket(_ task: URLSessionWebSocketTask) -> AutoMobileWebSocketTask {
    AutoMobileWebSocketTask(task, network: self)
  }

  /// - Parameters:
  ///   - payload: with all its bytes; they are looked at only when they are recorded. A negative size: not known.
  func record(
    url: String, _ direction: WebSocketFrameDirection, _ type: WebSocketFrameType, _ payload: HTTPBody?,
    requestId: String?, at timestamp: Int64 = EventClock.now()
  ) {
    tellOthers(
      HTTPWebSocketFrame(
        timestamp: timestamp, url: url, direction: direction == .sent ? .sent : .received,
        kind: HTTPWebSocketFrame.Kind(rawValue: type.rawValue) ?? .binary,
        payload: payload.flatMap { $0.size < 0 ? nil : $0 }, exchangeID: requestId))
    guard isRecording else { return record(SdkWebSocketFrameEvent(url: "", direction: direction, frameType: type)) }
    let settings = settings
    let parts = URLComponents(string: url)
    guard settings.accepts(host: parts?.host, path: parts?.percentEncodedPath),
      requestId.map({ SessionSampling.isSampled($0, rate: settings.sampleRate) }) ?? true
    else { return }
    var payload = payload.flatMap { $0.size < 0 ? nil : $0 }
    let limit = settings.capturesBodies && isDebugBuild ? min(settings.maxBodyBytes, NetworkSettings.longestBody) : 0
    payload?.limit(to: limit)
    payload = payload.map { settings.redaction.redactedBody($0, contentType: nil) }
    payload?.limit(to: limit)
    record(
      SdkWebSocketFrameEvent(
        timestamp: timestamp, url: settings.redaction.redactedURL(url).limited(to: 16 << 10), direction: direction,
        frameType: type, payload: payload, requestId: requestId))
  }
}
