#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// Foundation's own loader of HTTP on Linux, which has no public name.
package enum NativeLoader {
  package static let protocolClass = NSClassFromString("FoundationNetworking._HTTPURLProtocol") as? URLProtocol.Type

  /// For sessions whose requests nobody may intercept: named, it is asked before all that is registered.
  package static var classes: [AnyClass]? { protocolClass.map { [$0] } }
}
#endif
