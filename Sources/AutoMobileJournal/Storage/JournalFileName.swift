import Foundation

/// The names in a journal's directory. A name says which launch and which segment, so that a torn header loses nothing.
///
/// - `<launch>.ledger`, and `<launch>@<claimer>.ledger` once another launch has taken over what is left of it
/// - `<launch>-<index>.journal`, the index in at least six digits
/// - `<launch>.kept` for what was sent out of order, and `<launch>.kept.new` while it is written anew
enum JournalFileName: Hashable {
  case ledger(LaunchID, claimer: LaunchID?)
  case segment(LaunchID, index: UInt64)
  case keeping(LaunchID, isWhole: Bool)

  init?(_ name: some StringProtocol) {
    let utf8 = Array(name.utf8)
    guard utf8.count >= 36, let launch = LaunchID(String(decoding: utf8[..<36], as: UTF8.self)) else { return nil }
    let rest = String(decoding: utf8[36...], as: UTF8.self)
    if rest == ".ledger" {
      self = .ledger(launch, claimer: nil)
    } else if rest == ".kept" || rest == ".kept.new" {
      self = .keeping(launch, isWhole: rest == ".kept")
    } else if rest.hasPrefix("@"), rest.hasSuffix(".ledger"), let claimer = LaunchID(rest.dropFirst().dropLast(7)) {
      self = .ledger(launch, claimer: claimer)
    } else if rest.hasPrefix("-"), rest.hasSuffix(".journal") {
      let digits = rest.dropFirst().dropLast(8)
      // Twelve digits: beyond, positions would not fit into 63 bits.
      guard (6...12).contains(digits.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
        let index = UInt64(digits)
      else { return nil }
      self = .segment(launch, index: index)
    } else {
      return nil
    }
  }

  var launch: LaunchID {
    switch self {
    case .ledger(let launch, _), .segment(let launch, _), .keeping(let launch, _): launch
    }
  }

  /// What the file's header says that it is.
  var role: FileIdentity.Role {
    switch self {
    case .ledger: .ledger
    case .segment: .segment
    case .keeping: .keeping
    }
  }

  // Without interpolation: the first one in a process is slow, and this runs while the app starts.
  var text: String {
    switch self {
    case .ledger(let launch, nil): return launch.description + ".ledger"
    case .ledger(let launch, let claimer?): return launch.description + "@" + claimer.description + ".ledger"
    case .keeping(let launch, true): return launch.description + ".kept"
    case .keeping(let launch, false): return launch.description + ".kept.new"
    case .segment(let launch, let index):
      let digits = String(index)
      let zeros = String(repeating: "0", count: max(0, 6 - digits.count))
      return launch.description + "-" + zeros + digits + ".journal"
    }
  }
}
