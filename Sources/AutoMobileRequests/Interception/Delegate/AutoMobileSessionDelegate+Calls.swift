import AutoMobileRecorder
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the session tells and asks. On Apple platforms only what is looked at stands here, and the runtime passes the rest
/// to the app's delegate; elsewhere there is no such runtime, and all of it is passed on by hand.
extension AutoMobileSessionDelegate: URLSessionTaskDelegate {
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    ErrorBarrier.run(.urlSessionDelegate) {
      invalidated(session)
      #if canImport(Darwin)
      host?.urlSession?(session, didBecomeInvalidWithError: error)
      #else
      host?.urlSession(session, didBecomeInvalidWithError: error)
      #endif
    }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      noteRedirect(task, in: session, response, request)
      guard let host = host as? any URLSessionTaskDelegate else { return completionHandler(request) }
      #if canImport(Darwin)
      guard
        host.urlSession?(
          session, task: task, willPerformHTTPRedirection: response, newRequest: request,
          completionHandler: completionHandler) != nil
      else { return completionHandler(request) }
      #else
      host.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: completionHandler)
      #endif
    }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      note(task, in: session)
      let host = host as? any URLSessionTaskDelegate
      #if canImport(Darwin)
      host?.urlSession?(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
      #else
      host?.urlSession(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
      #endif
    }
  }

  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ErrorBarrier.run(.urlSessionDelegate) {
      let end = ExchangeRecorder.now
      whenToldToApp {
        let host = host as? any URLSessionTaskDelegate
        #if canImport(Darwin)
        host?.urlSession?(session, task: task, didCompleteWithError: error)
        #else
        host?.urlSession(session, task: task, didCompleteWithError: error)
        #endif
      } then: {
        ended(task, error, at: end)
      }
    }
  }

  #if canImport(Darwin)
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      measured(task, in: session, metrics)
      (host as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didFinishCollecting: metrics)
    }
  }
  #endif
}

#if canImport(Darwin)
extension AutoMobileSessionDelegate {
  /// What the app's delegate can do, this one can.
  public override func responds(to selector: Selector!) -> Bool {
    super.responds(to: selector) || (host?.responds(to: selector) ?? false)
  }

  public override func forwardingTarget(for selector: Selector!) -> Any? {
    host?.responds(to: selector) == true ? host : nil
  }
}
#else
extension AutoMobileSessionDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      guard let host = host as? any URLSessionTaskDelegate else {
        return completionHandler(.performDefaultHandling, nil)
      }
      host.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
    }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      note(task, in: session)
      guard let host = host as? any URLSessionTaskDelegate else { return completionHandler(nil) }
      host.urlSession(session, task: task, needNewBodyStream: completionHandler)
    }
  }

  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      note(dataTask, in: session)
      guard let host = host as? any URLSessionDataDelegate else { return completionHandler(.allow) }
      host.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }
  }

  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    ErrorBarrier.run(.urlSessionDelegate) {
      note(dataTask, in: session, received: data.count)
      (host as? any URLSessionDataDelegate)?.urlSession(session, dataTask: dataTask, didReceive: data)
    }
  }

  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      (host as? any URLSessionDownloadDelegate)?
        .urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location)
    }
  }

  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      note(downloadTask, in: session)
      (host as? any URLSessionDownloadDelegate)?
        .urlSession(
          session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
          totalBytesExpectedToWrite: totalBytesExpectedToWrite)
    }
  }
}
#endif
