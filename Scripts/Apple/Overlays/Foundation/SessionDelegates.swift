// The delegates of URL sessions, with optional methods, which only Objective-C has.

/// Documentation: *URLSessionDelegate*. iOS 7.0.
@objc public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  @objc optional func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
  @objc optional func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  @objc optional func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}
/// Documentation: *URLSessionTaskDelegate*. iOS 7.0.
@objc public protocol URLSessionTaskDelegate: URLSessionDelegate {
  @available(iOS 16.0, macOS 13.0, *)
  @objc optional func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)
  @objc optional func urlSession(_ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest, completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void)
  @objc optional func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
  @objc optional func urlSession(_ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  @objc optional func urlSession(_ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  @objc optional func urlSession(_ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
  @available(iOS 17.0, macOS 14.0, *)
  @objc optional func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask, from offset: Int64, completionHandler: @escaping @Sendable (InputStream?) -> Void)
  @objc optional func urlSession(_ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64)
  @available(iOS 17.0, macOS 14.0, *)
  @objc optional func urlSession(_ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)
  @objc optional func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
  @objc optional func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
/// Documentation: *URLSessionDataDelegate*. iOS 7.0.
@objc public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  @objc optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse, completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
  @objc(URLSession:dataTask:didBecomeDownloadTask:)
  optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask)
  @objc(URLSession:dataTask:didBecomeStreamTask:)
  optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask)
  @objc optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
  @objc optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void)
}
/// Documentation: *URLSessionDownloadDelegate*. iOS 7.0.
@objc public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
  @objc optional func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
  @objc optional func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64)
}
/// Documentation: *URLSessionStreamDelegate*. iOS 9.0.
@objc public protocol URLSessionStreamDelegate: URLSessionTaskDelegate {
  @objc optional func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask)
  @objc optional func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask)
  @objc optional func urlSession(_ session: URLSession, betterRouteDiscoveredFor streamTask: URLSessionStreamTask)
  @objc optional func urlSession(_ session: URLSession, streamTask: URLSessionStreamTask, didBecome inputStream: InputStream, outputStream: OutputStream)
}
/// Documentation: *URLSessionWebSocketDelegate*. iOS 13.0.
@objc public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
  @objc optional func urlSession(_ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?)
  @objc optional func urlSession(_ session: URLSession, webSocketTask: URLSessionWebSocketTask, didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
}

extension URLSession {
  /// Documentation: *init(configuration:delegate:delegateQueue:)*. iOS 7.0.
  public convenience init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
  ) { fatalError() }
  /// Documentation: *delegate*. iOS 7.0.
  public var delegate: (any URLSessionDelegate)? { nil }
  /// Documentation: *data(for:delegate:)*. iOS 15.0.
  public func data(for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse) {
    fatalError()
  }
}
