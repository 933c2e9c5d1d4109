import AutoMobileRecorder
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session of the SDK's own that loads what was intercepted, for all sessions of the app with the same configuration.
///
/// Everything happens on its ``lane``: a load begins, is told of what arrives, and ends there.
final class ForwardingSession: Sendable {
  /// Serial.
  let lane: DispatchQueue
  /// Where the session is called from. On Linux its calls wait for its work queue, which is the lane there: called from the
  /// lane, they would stop the process.
  private let calls: DispatchQueue?
  private let delegate = ForwardingDelegate()
  private let session: URLSession
  private static let label = "dev.jasonpearson.automobile.sdk.network"

  /// - Parameter configuration: the app's; it is copied.
  init(_ configuration: URLSessionConfiguration) {
    let own = configuration.copy() as? URLSessionConfiguration ?? .default
    own.protocolClasses = ForwardingKey.others(in: configuration)
    #if canImport(FoundationNetworking)
    own.protocolClasses? += NativeLoader.classes ?? []
    // What arrives is handed on where it arrives: with a hop it would pile up, since Foundation reads on as long as
    // there is something to read, and lets no other session's work queue run meanwhile.
    let inPlace = URLSession(configuration: own, delegate: delegate, delegateQueue: QueueInPlace())
    if let workQueue = ReachedTask.workQueue(of: inPlace) {
      session = inPlace
      lane = workQueue
      calls = DispatchQueue(label: Self.label, qos: .userInitiated)
      return
    }
    inPlace.finishTasksAndInvalidate()
    #endif
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    lane = DispatchQueue(label: Self.label, qos: .userInitiated)
    calls = nil
    queue.underlyingQueue = lane
    session = URLSession(configuration: own, delegate: delegate, delegateQueue: queue)
  }

  /// When neither the pool nor a load needs it any more.
  deinit { session.finishTasksAndInvalidate() }

  /// Calls a task or the session, soon. On the lane.
  func call(_ body: @escaping @Sendable () -> Void) {
    if let calls { calls.async(execute: body) } else { body() }
  }

  /// Makes a load's task; `then` is given it on the lane, and says whether it shall run; `sent` is called there when it does.
  /// The load is not kept: it is told of what arrives as long as somebody else keeps it.
  func begin(
    _ load: InterceptedLoad,
    _ make: @escaping @Sendable (URLSession) -> (URLSessionTask, BodyTap?),
    then: @escaping @Sendable (URLSessionTask, BodyTap?) -> Bool, sent: @escaping @Sendable () -> Void
  ) {
    call { [self] in
      let (task, tap) = make(session)
      let note = { @Sendable [self] in
        delegate.loads[task.taskIdentifier] = WeakLoad(load: load)
        return then(task, tap)
      }
      // The lane never waits for the queue of these calls. Waiting for it costs less than another thread.
      guard calls == nil ? note() : lane.sync(execute: note) else { return }
      task.resume()
      if calls == nil { sent() } else { lane.async(execute: sent) }
    }
  }

  /// On the lane.
  func forget(_ task: URLSessionTask) { delegate.loads.removeValue(forKey: task.taskIdentifier) }
}

#if canImport(FoundationNetworking)
/// Works off what is added, at once.
// Unchecked for the superclass, which is Sendable by its lock; of its own it has no state.
private final class QueueInPlace: OperationQueue, @unchecked Sendable {
  override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif

private struct WeakLoad {
  weak var load: InterceptedLoad?
}

/// Passes what arrives to the load that it is for.
// Unchecked, because the compiler cannot see that the table is used on the session's lane only, which is also the
// queue of these callbacks.
private final class ForwardingDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  var loads: [Int: WeakLoad] = [:]

  private func load(of task: URLSessionTask) -> InterceptedLoad? { loads[task.taskIdentifier]?.load }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      load(of: dataTask)?.received(response)
      completionHandler(.allow)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    ErrorBarrier.run(.urlSessionDelegate) { load(of: dataTask)?.received(data) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      load(of: task)?.host.didSend(bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      // Called once, by whoever has the stream.
      nonisolated(unsafe) let completionHandler = completionHandler
      guard let load = load(of: task) else { return completionHandler(nil) }
      load.needsBodyStream { completionHandler($0) }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      nonisolated(unsafe) let completionHandler = completionHandler
      // Nobody waits for it any more: the task has been cancelled, and an answer would stop the process on Linux.
      guard let load = load(of: task) else { return }
      load.redirected(response, to: request) { completionHandler($0) }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      nonisolated(unsafe) let completionHandler = completionHandler
      guard let load = load(of: task) else { return completionHandler(.cancelAuthenticationChallenge, nil) }
      load.host.decide(on: challenge) { completionHandler($0, $1) }
    }
  }

  #if canImport(Darwin)
  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    ErrorBarrier.run(.urlSessionDelegate) { load(of: task)?.measured(metrics) }
  }
  #endif

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ErrorBarrier.run(.urlSessionDelegate) {
      loads.removeValue(forKey: task.taskIdentifier)?.load?.ended(error)
    }
  }
}
