/// Attributes of spans that are HTTP requests: the names that are stable, then those that came before.
enum HTTPNames {
  static let method = ["http.request.method", "http.method"]
  static let status = ["http.response.status_code", "http.status_code"]
  static let requestSize = ["http.request.body.size", "http.request_content_length"]
  static let responseSize = ["http.response.body.size", "http.response_content_length"]
  static let host = ["server.address", "net.peer.name", "http.host"]
  private static let port = ["server.port", "net.peer.port"]
  private static let url = ["url.full", "http.url"]
  private static let path = ["url.path", "http.target"]
  private static let scheme = ["url.scheme", "http.scheme"]

  /// What becomes members of a request.
  static let all = Set(
    method + status + requestSize + responseSize + host + port + url + path + scheme + ["url.query", "error.type"])

  /// The whole address, put together where it came in parts.
  static func url(_ values: [String: OTLP.AnyValue]) -> String {
    func text(_ names: [String]) -> String? { names.lazy.compactMap { values[$0]?.anyText }.first { !$0.isEmpty } }
    if let whole = text(url) { return whole }
    let scheme = text(scheme) ?? "http"
    let host = text(host) ?? ""
    var address = "\(scheme)://\(host)"
    if let port = text(port), !host.contains(":"), port != (scheme == "https" ? "443" : "80") { address += ":\(port)" }
    address += text(path) ?? ""
    if let query = text(["url.query"]) { address += "?\(query)" }
    return address
  }
}
