extension String {
  /// The first bytes of it.
  package func limited(to count: Int) -> String {
    utf8.count <= count ? self : String(decoding: utf8.prefix(max(0, count)), as: UTF8.self)
  }
}
