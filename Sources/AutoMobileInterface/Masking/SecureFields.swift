/// Fields that have been seen to hide what is typed: they are for passwords, also while a button shows these. It keeps none of
/// them alive.
@MainActor final class SecureFields {
  static let shared = SecureFields()

  private struct Entry {
    weak var field: AnyObject?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// Above so many, entries of objects that are gone are removed.
  private var limit = 64

  /// Whether a field is, or has been, one for a password.
  func isSecure(_ field: AnyObject, now isSecure: Bool) -> Bool {
    let id = ObjectIdentifier(field)
    // Another object may be where one that was known has been.
    let isKnown = entries[id].map { $0.field === field } ?? false
    if isSecure, !isKnown {
      entries[id] = Entry(field: field)
      if entries.count > limit {
        entries = entries.filter { $0.value.field != nil }
        limit = max(64, entries.count * 2)
      }
    }
    return isSecure || isKnown
  }
}
