import AutoMobileRecorder

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// A download task on Linux: Foundation's own loader writes the file and nobody else can hand one over, so it loads the
/// task itself, and is only listened to. What it received is known by its size.
// Unchecked, because Foundation's classes are not Sendable: everything happens on the task's work queue.
final class NativeLoad: NSObject, StoppableLoad, URLProtocolClient, @unchecked Sendable {
  private let loader: URLProtocol
  private let client: any URLProtocolClient
  private let task: URLSessionTask
  private let span: SdkSpanContext?
  private var recorder: ExchangeRecorder?

  init?(_ urlProtocol: URLProtocol, task: URLSessionTask, in span: SdkSpanContext? = nil) {
    guard let type = NativeLoader.protocolClass, let client = urlProtocol.client
    else { return nil }
    self.client = client
    self.task = task
    self.span = span
    loader = type.init(task: task, cachedResponse: nil, client: nil)
    super.init()
    loader.client = self
  }

  func start() {
    recorder = ExchangeRecorder(task.originalRequest ?? loader.request, .shared, in: span)
    loader.startLoading()
    recorder?.sent()
  }

  func stop() {
    loader.stopLoading()
    recorder?.ended(URLError(.cancelled))
  }

  func suspend() { loader.stopLoading() }
  func resume() { loader.startLoading() }

  private func end(_ error: (any Error)?, forApp tell: () -> Void) {
    let end = ExchangeRecorder.now
    recorder?.willAnswer()
    NetworkInterception.shared.observerQueue.end(forApp: tell) { record(error, at: end) }
  }

  private func record(_ error: (any Error)?, at end: UInt64) {
    if let response = task.response { recorder?.received(response) }
    recorder?.received(unseen: Int(clamping: task.countOfBytesReceived))
    recorder?.ended(error, at: end)
  }

  func urlProtocol(
    _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
  ) {
    recorder?.willAnswer()
    client.urlProtocol(`protocol`, wasRedirectedTo: request, redirectResponse: redirectResponse)
  }

  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
    client.urlProtocol(`protocol`, cachedResponseIsValid: cachedResponse)
  }

  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
  ) {
    recorder?.willAnswer()
    client.urlProtocol(`protocol`, didReceive: response, cacheStoragePolicy: policy)
  }

  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { client.urlProtocol(`protocol`, didLoad: data) }

  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
    end(nil) { client.urlProtocolDidFinishLoading(`protocol`) }
  }

  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
    end(error) { client.urlProtocol(`protocol`, didFailWithError: error) }
  }

  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
    client.urlProtocol(`protocol`, didReceive: challenge)
  }

  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
    client.urlProtocol(`protocol`, didCancel: challenge)
  }
}
#endif
