import Foundation

/// Which exchanges are wanted. What is not set lets everything through; what is set has to hold together.
///
///     var filter = NetworkLogFilter()
///     filter.statusClasses = [.clientError, .serverError]
///     filter.text = "conversation-42"
public struct NetworkLogFilter: Sendable, Hashable {
  public enum StatusClass: String, Sendable, Hashable, CaseIterable {
    case informational, success, redirection, clientError, serverError
    /// There was no response, but an error.
    case noResponse
    /// There was neither: the request is under way, or its app ended first.
    case unfinished

    /// Of a status code; 0 or nil when there was none.
    public init(_ status: Int?) {
      switch status ?? 0 {
      case 100...199: self = .informational
      case 200...299: self = .success
      case 300...399: self = .redirection
      case 400...499: self = .clientError
      case 500...: self = .serverError
      default: self = .noResponse
      }
    }
  }

  /// Where ``NetworkLogFilter/text`` is looked for.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    case url
    /// Tracer id, GraphQL operation, error and the exchange's own id.
    case metadata
    /// Names and values, of request and response.
    case headers
    /// Of request and response, as far as they are text.
    case bodies
  }

  /// For example `GET`; empty: all.
  public var methods: Set<String> = []
  public var statusClasses: Set<StatusClass> = []
  /// Whole names, in lower case.
  public var hosts: Set<String> = []
  /// In milliseconds. What has no duration is let through only when neither is set.
  public var minimumDuration: Double?
  public var maximumDuration: Double?
  /// A part of the tracer id, without regard to case.
  public var tracerID: String?
  public var isMocked: Bool?
  /// True: only what failed, or with a status from 400 on.
  public var isError: Bool?
  /// When the request began, in milliseconds since 1970.
  public var startedFrom: Int64?
  public var startedBefore: Int64?
  /// Without regard to the case of ASCII letters; empty: everything.
  public var text = ""
  public var places: Set<Place> = Set(Place.allCases)

  public init() {}

  public var isEmpty: Bool { self == NetworkLogFilter() }
}
