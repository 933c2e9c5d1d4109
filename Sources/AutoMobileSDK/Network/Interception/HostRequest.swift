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
  }

  /// All of the body, for those who look into it before it is sent; nil when there is none, or it is not at hand.
  func wholeBody(limit: Int) -> Data? {
    switch body {
    case .ofRequest: return request.httpBody.flatMap { $0.count <= limit ? $0 : nil }
    case .data(let data): return data.count <= limit ? data : nil
    case .file(let file):
      guard let size = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize, size <= limit else { return nil }
      return try? Data(contentsOf: file)
    case .stream, .onDemand: return nil
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
      let tapped = Self.tapped(stream, limit: limit)
      var request = request
      request.httpBodyStream = tapped.stream
      return (session.dataTask(with: request), tapped.tap)
    case .data(let data):
      return (session.uploadTask(with: request, from: data), limit.map { BodyTap(data, limit: $0) })
    case .file(let file):
      return (session.uploadTask(with: request, fromFile: file), limit.map { BodyTap(file: file, limit: $0) })
    case .stream, .onDemand:
      return (session.uploadTask(withStreamedRequest: request), limit.map { BodyTap(limit: $0) })
    }
  }

  /// The stream to give to the loading system in the app's stream's place.
  static func tapped(_ stream: InputStream, limit: Int?) -> (stream: InputStream, tap: BodyTap?) {
    guard let limit else { return (stream, nil) }
    let tap = BodyTap(limit: limit)
    return (tapped(stream, tap), tap)
  }

  static func tapped(_ stream: InputStream, _ tap: BodyTap) -> InputStream {
    #if canImport(FoundationNetworking)
    TappedStream(stream, tap: tap)
    #else
    StreamPump.tapped(stream, tap)
    #endif
  }
}
