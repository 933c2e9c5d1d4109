import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sees the requests of the sessions that it is registered for, and lets a session of the SDK's own load them.
public class AutoMobileURLProtocol: URLProtocol {
}
