/// Which objects the app has marked. It keeps none of them alive.
@MainActor package final class MaskMarks {
  package static let shared = MaskMarks()

  private struct Entry {
    weak var object: AnyObject?
    var mark: MaskingRules.Mark
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// Above so many, entries of objects that are gone are removed.
  private var limit = 64
  /// Whether there are ranges of views that are marked, as far as ``forgetRanges()`` knows.
  package private(set) var hasRanges = false

  package init() {}

  /// - Parameter mark: nil: what was said before no longer holds.
  package func set(_ mark: MaskingRules.Mark?, for object: AnyObject) {
    entries[ObjectIdentifier(object)] = mark.map { Entry(object: object, mark: $0) }
    if mark == .unmasksFromHere { hasRanges = true }
    guard entries.count > limit else { return }
    entries = entries.filter { $0.value.object != nil }
    limit = max(64, entries.count * 2)
  }

  /// Ranges whose views are gone cost nothing any more. Asked once for each picture, not for each view.
  package func forgetRanges() {
    guard hasRanges else { return }
    hasRanges = entries.values.contains { $0.mark == .unmasksFromHere && $0.object != nil }
  }

  package func mark(of object: AnyObject) -> MaskingRules.Mark? {
    // Another object may be where one that was marked has been.
    guard !entries.isEmpty, let entry = entries[ObjectIdentifier(object)], entry.object === object else { return nil }
    return entry.mark
  }

  /// Those of which this was said last, and that still are.
  func objects(with mark: MaskingRules.Mark) -> [AnyObject] {
    entries.values.compactMap { $0.mark == mark ? $0.object : nil }
  }
}
