import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The property by which a request is known that the interception itself sends: it is not intercepted again.
///
/// On Linux a request loses its properties when it is handed on. There the sessions of the SDK's own name Foundation's
/// loader (``NativeLoader``), and no request is marked.
package enum InterceptionMark {
  private static let key = "dev.jasonpearson.automobile.sdk.intercepted"

  package static func isMarked(_ request: URLRequest) -> Bool { URLProtocol.property(forKey: key, in: request) != nil }

  package static func marked(_ request: URLRequest) -> URLRequest {
    change(request) { URLProtocol.setProperty(true, forKey: key, in: $0) }
  }

  package static func unmarked(_ request: URLRequest) -> URLRequest {
    guard isMarked(request) else { return request }
    return change(request) { URLProtocol.removeProperty(forKey: key, in: $0) }
  }

  /// On Linux the request as it is: on the way there and back it would also forget that it has a timeout of its own.
  package static func change(_ request: URLRequest, _ body: (NSMutableURLRequest) -> Void) -> URLRequest {
    #if canImport(FoundationNetworking)
    return request
    #else
    guard let mutable = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return request }
    body(mutable)
    return mutable as URLRequest
    #endif
  }
}
