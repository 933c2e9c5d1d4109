import AutoMobileHTTP
import AutoMobileHTTPExport
import AutoMobileNetworkLog
import Foundation

/// What a line of the list shows.
public struct NetworkLogRowContent: Sendable, Equatable, Identifiable {
  /// What the status looks like.
  public enum Tone: Sendable, Equatable {
    case success, redirection, clientError, serverError, failure, neutral
  }

  public let id: NetworkLogEntry.ID
  public let method: String
  /// The GraphQL operation, or else the path.
  public let title: String
  public let host: String
  /// For example `403`, or `timed out`.
  public let status: String
  public let tone: Tone
  /// For example `120 ms`.
  public let duration: String
  /// Of the response's body, for example `1.5 KB`.
  public let size: String
  public let startedAt: Date
  public let isMocked: Bool
  /// Of a request without answer or error: that it is under way, or that the app ended first.
  public let remark: String?

  public init(_ entry: NetworkLogEntry) {
    let exchange = entry.exchange
    id = entry.id
    method = exchange.method
    let path = exchange.path ?? ""
    title = exchange.graphQLOperation ?? (path.isEmpty ? exchange.url : path)
    host = exchange.host ?? ""
    status = exchange.statusCode.map(String.init) ?? (exchange.error == nil ? "–" : "error")
    tone = Self.tone(of: exchange)
    duration = exchange.durationMs.map { DurationText.text(milliseconds: $0) } ?? ""
    size = exchange.responseBody.map { ByteCount.text($0.size) } ?? ""
    startedAt = Date(timeIntervalSince1970: Double(exchange.startedAt) / 1000)
    isMocked = exchange.mockRule != nil
    remark = entry.isUnfinished ? (entry.isUnderWay ? "under way" : "the app ended first") : nil
  }

  static func tone(of exchange: HTTPExchange) -> Tone {
    if exchange.error?.isCancellation == true { return .neutral }
    if exchange.error != nil { return .failure }
    return switch NetworkLogFilter.StatusClass(exchange.statusCode) {
    case .success: .success
    case .redirection: .redirection
    case .clientError: .clientError
    case .serverError: .serverError
    case .informational, .noResponse, .unfinished: .neutral
    }
  }
}
