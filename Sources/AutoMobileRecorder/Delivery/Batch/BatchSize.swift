/// How many records the next batch may have: halved when the receiver refuses one, grown again when it takes them.
struct BatchSize {
  let maximum: Int
  private(set) var records: Int
  /// Batches that have to be taken before the size is doubled.
  private var patience = 1
  private var taken = 0

  init(maximum: Int) {
    self.maximum = max(1, maximum)
    records = self.maximum
  }

  /// A batch of `sent` records was refused.
  ///
  /// - Parameter tooLarge: for its size, which larger ones will be as well; otherwise for something in it, which is
  ///   behind us once it has been found.
  /// - Returns: false when it cannot be divided: it is one record that is refused.
  mutating func halve(_ sent: Int, tooLarge: Bool) -> Bool {
    taken = 0
    guard sent > 1 else {
      patience = 1
      return false
    }
    records = min(maximum, sent / 2)
    patience = tooLarge ? 16 : 1
    return true
  }

  mutating func wasTaken() {
    guard records < maximum else { return }
    taken += 1
    guard taken >= patience else { return }
    taken = 0
    records = min(maximum, records * 2)
  }
}
