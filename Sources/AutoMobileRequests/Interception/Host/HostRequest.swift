import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request as the app's session gave it to the protocol: body included, wherever that was.
// Unchecked, because streams are not Sendable: it is handed from the protocol to its load, and used there only.
struct HostRequest: @unchecked Sendable {
  var request: URLRequest
  var body = Body.ofRequest

  enum Body {
    /// What the request itself has, or none.
    case ofRequest
    /// An upload task's.
    case data(Data)
    case file(URL)
    case stream(InputStream)
    /// The app's delegate is asked for it.
    case onDemand
    /// The request's stream, which may be the app's, or the loading system's way to hand over what the app gave as `Data`.
    case handedOver(InputStream)
    /// Such a stream of which the first bytes have been read.
    case begun(Data, rest: InputStream)
    /// Such a stream that could not be read.
    case broken(any Error)
  }

  /// A request as Apple's loading system gives it to a protocol.
  static func handedOver(_ request: URLRequest) -> HostRequest {
    HostRequest(request: request, body: request.httpBodyStream.map { .handedOver($0) } ?? .ofRequest)
  }

  /// All of the body, for those who look into it before it is sent; nil when there is none, or it is not at hand.
  func wholeBody(limit: Int) -> Data? {
    switch body {
    case .ofRequest: return request.httpBody.flatMap { $0.count <= limit ? $0 : nil }
    case .data(let data): return data.count <= limit ? data : nil
    case .file(let file):
      guard let size = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize, size <= limit else { return nil }
      return try? Data(contentsOf: file)
    case .stream, .onDemand, .handedOver, .begun, .broken: return nil
    }
  }

  /// Makes the task that sends it, and the tap that looks at its body while it does; no tap: there is no body.
  ///
  /// - Parameter limit: the bytes that are wanted; nil: nobody looks.
  func task(of session: URLSession, limit: Int?) -> (task: URLSessionTask, tap: BodyTap?) {
    switch body {
    case .ofRequest:
      if let body = request.httpBody {
        return (session.dataTask(with: request), limit.map { BodyTap(body, limit: $0) })
      }
      guard let stream = request.httpBodyStream else { return (session.dataTask(with: request), nil) }
      return task(of: session, streaming: stream, tap: limit.map { BodyTap(limit: $0) })
    case .handedOver(let stream):
      return task(of: session, streaming: stream, tap: limit.map { BodyTap(limit: $0) })
    case .begun(let beginning, let rest):
      return task(of: session, streaming: rest, after: beginning, tap: limit.map { BodyTap(limit: $0) })
    case .data(let data):
      return (session.uploadTask(with: request, from: data), limit.map { BodyTap(data, limit: $0) })
    case .file(let file):
      return (session.uploadTask(with: request, fromFile: file), limit.map { BodyTap(file: file, limit: $0) })
    case .stream, .onDemand:
      return (session.uploadTask(withStreamedRequest: request), limit.map { BodyTap(limit: $0) })
    case .broken:
      // Ended before it gets here.
      return (session.dataTask(with: request), nil)
    }
  }

  private func task(
    of session: URLSession, streaming stream: InputStream, after beginning: Data = Data(), tap: BodyTap?
  ) -> (task: URLSessionTask, tap: BodyTap?) {
    var request = request
    request.httpBodyStream = Self.tapped(stream, after: beginning, tap)
    return (session.dataTask(with: request), tap)
  }

  /// The stream to give to the loading system in the app's stream's place.
  ///
  /// - Parameter beginning: what was read of it already.
  static func tapped(_ stream: InputStream, after beginning: Data = Data(), _ tap: BodyTap?) -> InputStream {
    if tap == nil, beginning.isEmpty, stream.streamStatus == .notOpen { return stream }
    #if canImport(FoundationNetworking)
    return TappedStream(stream, after: beginning, tap: tap)
    #else
    return StreamPump.tapped(stream, after: beginning, tap)
    #endif
  }
}
