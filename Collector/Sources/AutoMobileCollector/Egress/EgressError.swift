/// Why nothing was sent, or no answer came. Never holds an address with what is secret in it.
enum EgressError: Error, Equatable, CustomStringConvertible {
  /// It is not allowed, and will not be later.
  case refused(String)
  /// A name that leads nowhere, at this moment.
  case noAddress(String)
  /// Not in time.
  case slow(seconds: Double)
  case failed(String)

  var description: String {
    switch self {
    case .refused(let reason), .noAddress(let reason), .failed(let reason): reason
    case .slow(let seconds): "no whole answer within \(Int(seconds.rounded(.up))) seconds"
    }
  }

  /// Whether the same may go well later.
  var isTemporary: Bool { if case .refused = self { false } else { true } }
}
