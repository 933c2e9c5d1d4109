import AutoMobileSupport

/// Finds for some addresses the functions that hold them, while a symbol table goes by once, in any order.
///
/// The work is one binary search for each symbol, whatever the table says.
struct NearestSymbols {
  /// A symbol that may be the one.
  struct Candidate {
    var address: UInt64
    /// In bytes; 0 when the table does not say.
    var size: UInt64
    /// Of several symbols at one address the highest counts.
    var rank: Int
    /// Where its name is.
    var name: UInt64
  }

  private let wanted: [UInt64]
  /// For each wanted address the nearest symbol that is not before the previous wanted address.
  private var best: [Candidate?]

  init(_ addresses: some Sequence<UInt64>) {
    wanted = Set(addresses).ordered()
    best = Array(repeating: nil, count: wanted.count)
  }

  mutating func offer(_ candidate: Candidate) {
    var low = 0
    var high = wanted.count
    while low < high {
      let middle = (low + high) / 2
      if wanted[middle] < candidate.address { low = middle + 1 } else { high = middle }
    }
    guard low < wanted.count else { return }
    if let current = best[low], (current.address, current.rank) >= (candidate.address, candidate.rank) { return }
    best[low] = candidate
  }

  /// The symbol that holds each wanted address, for those that one holds.
  func found() -> [UInt64: Candidate] {
    var found: [UInt64: Candidate] = [:]
    var nearest: Candidate?
    for (address, candidate) in zip(wanted, best) {
      nearest = candidate ?? nearest
      guard let nearest, nearest.size == 0 || address &- nearest.address < nearest.size else { continue }
      found[address] = nearest
    }
    return found
  }
}
