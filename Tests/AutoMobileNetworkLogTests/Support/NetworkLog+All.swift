import AutoMobileNetworkLog

extension NetworkLog {
  /// All of it by pages, newest first.
  func all(_ filter: NetworkLogFilter = NetworkLogFilter(), pageSize: Int = 100) -> [NetworkLogEntry] {
    var page = page(filter, limit: pageSize)
    var entries = page.entries
    while let next = page.next {
      page = self.page(filter, from: next, limit: pageSize)
      entries += page.entries
    }
    return entries
  }

  func ids(_ filter: NetworkLogFilter = NetworkLogFilter()) -> [String] { all(filter).map(\.exchange.id) }
}
