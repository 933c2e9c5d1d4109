/// The revisions of the Model Context Protocol that are spoken here.
///
/// The newest has no handshake: each request says its revision itself, in `params._meta`. Those before it begin with
/// `initialize`; nothing of what that agrees on changes an answer, so nothing has to be remembered for them either.
enum ProtocolVersion: String, CaseIterable, Sendable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// Each request carries what it needs.
  var isStateless: Bool { self == .july2026 }
  /// Several messages may come at once, as an array: of this revision and of no other over HTTP; the one before it took them
  /// over stdio, as JSON-RPC does.
  var takesBatches: Bool { self == .march2025 || self == .november2024 }

  /// What a handshake offers to whoever asks for one that is not known.
  static let newestWithHandshake = november2025
  /// What a request over HTTP is taken for that does not say: the header came later.
  static let unsaid = march2025

  static var names: JSONTree { .array(allCases.reversed().map { .string($0.rawValue) }) }
}
