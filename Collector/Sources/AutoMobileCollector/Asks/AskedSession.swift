/// What is known of a session that somebody asks for.
struct AskedSession: Sendable {
  /// As its app calls it.
  var given: String
  var bundle: String?
  var owner: DataOwner
  var keepsNothing: Bool
}
