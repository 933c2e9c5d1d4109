import AutoMobileRecorder
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sees the requests of the sessions that it is registered for, and has them loaded by a session of the SDK's own, which
/// does what the app's session would have done.
///
/// Foundation makes its instances, one for each request. What it keeps and what it cannot is in the article *Network*.
///
///     let configuration = URLSessionConfiguration.default
///     configuration.protocolClasses = [AutoMobileNetwork.shared.protocolClass()]
public class AutoMobileURLProtocol: URLProtocol {
  /// Set once, when loading begins; Foundation begins and stops on one thread.
  private var load: (any StoppableLoad)?
  /// The task is over. Foundation on Linux may have loading begin after that: when a task is cancelled just when its cache has answered.
  /// Nobody would end that load any more, and Foundation's own loader stops the process when it knows nothing of the task.
  private var isOver = false
  /// The one inside of which the app made the request.
  private var span: SdkSpanContext?

  /// HTTP requests that somebody wants to know of, or to answer; never the SDK's own.
  public override class func canInit(with request: URLRequest) -> Bool {
    guard takes(request) else { return false }
    RequestSpans.shared.note(request)
    return true
  }

  private class func takes(_ request: URLRequest) -> Bool {
    guard let scheme = request.url?.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return false }
    return isOn && NetworkInterception.shared.isNeeded && !InterceptionMark.isMarked(request)
      && URLProtocol.property(forKey: URLSessionTransport.handledProperty, in: request) == nil
  }

  /// Tasks that load a request and nothing else.
  public override class func canInit(with task: URLSessionTask) -> Bool {
    guard task is URLSessionDataTask || task is URLSessionDownloadTask, let request = task.currentRequest else {
      return false
    }
    guard takes(request) else { return false }
    RequestSpans.shared.note(task)
    return true
  }

  /// The request as it is.
  public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// The superclass's answer on Apple platforms, where the loading system asks; elsewhere nobody does.
  public override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
    #if canImport(Darwin)
    super.requestIsCacheEquivalent(a, to: b)
    #else
    a == b
    #endif
  }

  /// Sends the request. Foundation calls it.
  public override func startLoading() { ErrorBarrier.run(.urlProtocol) { start() } }

  /// Ends or suspends the request, if it still runs. Foundation calls it.
  public override func stopLoading() { ErrorBarrier.run(.urlProtocol) { stop() } }

  /// Whether this class takes requests at present.
  class var isOn: Bool { true }

  private func start() {
    if let load { return load.resume() }
    span = RequestSpans.shared.take(task, task?.originalRequest ?? request)
    guard !isOver else {
      ExchangeRecorder(task?.originalRequest ?? request, .shared, in: span)?.ended(URLError(.cancelled))
      return
    }
    #if canImport(FoundationNetworking)
    // Without a task there is nobody to tell: Foundation's own client would stop the process.
    guard let task else { return }
    guard let reached = ReachedTask(task) else { return fail() }
    InterceptedTasks.shared.add(task)
    if task is URLSessionDownloadTask {
      guard let native = NativeLoad(self, task: task, in: span) else { return fail() }
      load = native
      return native.start()
    }
    begin(
      HostRequest(request: task.originalRequest ?? request, body: reached.body),
      host: ReachedHost(self, reached), configuration: reached.session.configuration)
    #else
    if let task { InterceptedTasks.shared.add(task) }
    begin(
      .handedOver(request), host: ClientHost(self, thread: .current),
      configuration: ConfiguredClasses.shared.configuration(of: type(of: self)) ?? .default)
    #endif
  }

  private func begin(_ request: HostRequest, host: any HostSide, configuration: URLSessionConfiguration) {
    let load = InterceptedLoad(
      host: host, session: ForwardingSessions.shared.session(for: configuration), interception: .shared,
      in: span)
    self.load = load
    load.start(request)
  }

  private func stop() {
    #if canImport(FoundationNetworking)
    // There, loading also stops when the app suspends the task, and starts again.
    if task?.state == .suspended {
      load?.suspend()
      return
    }
    #endif
    isOver = true
    load?.stop()
  }

  private func fail() { client?.urlProtocol(self, didFailWithError: URLError(.unknown)) }
}

/// What the protocol's instance may ask of a load.
protocol StoppableLoad {
  func stop()
  func suspend()
  func resume()
}

extension InterceptedLoad: StoppableLoad {}
