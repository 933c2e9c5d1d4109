extension Array {
  /// In order, so many in each, which is what a statement can name; fewer in the last.
  func chunks(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
  }
}
