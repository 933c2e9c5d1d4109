import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The failures that a rule from a collector may ask for, by the names of `URLError.Code`.
enum NetworkMockFailures {
  static let codes: [String: URLError.Code] = [
    "timedOut": .timedOut, "notConnectedToInternet": .notConnectedToInternet,
    "networkConnectionLost": .networkConnectionLost, "cannotFindHost": .cannotFindHost,
    "cannotConnectToHost": .cannotConnectToHost, "dnsLookupFailed": .dnsLookupFailed, "cancelled": .cancelled,
    "badServerResponse": .badServerResponse, "cannotParseResponse": .cannotParseResponse,
    "httpTooManyRedirects": .httpTooManyRedirects, "resourceUnavailable": .resourceUnavailable,
    "secureConnectionFailed": .secureConnectionFailed, "serverCertificateUntrusted": .serverCertificateUntrusted,
    "serverCertificateHasBadDate": .serverCertificateHasBadDate,
    "serverCertificateHasUnknownRoot": .serverCertificateHasUnknownRoot,
    "dataNotAllowed": .dataNotAllowed, "internationalRoamingOff": .internationalRoamingOff, "unknown": .unknown,
  ]
}
