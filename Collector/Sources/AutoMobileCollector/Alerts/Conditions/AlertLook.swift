/// What a rule's condition found, at one moment.
struct AlertLook {
  enum Finding {
    /// It happened.
    case moment(Alert)
    /// It is the case.
    case firing(Alert)
    /// It is not the case any more.
    case calm(Alert)

    var alert: Alert {
      switch self {
      case .moment(let alert), .firing(let alert), .calm(let alert): alert
      }
    }
  }

  var findings: [Finding] = []
  /// Up to where it has been looked at.
  var cursor: Int64
  /// Whether there is more behind the cursor right now.
  var isPartial = false

  /// What a condition has to know besides what was recorded.
  struct Context {
    var now: Int64
    /// Since when this collector runs: before, it could receive nothing.
    var startedAt: Int64
    /// What is the case already, and since when.
    var firing: [String: Int64] = [:]
    /// Issues that came back since, see ``AlertLook/regressions(after:in:)``.
    var regressions = Regressions()
  }

  /// Reports that are looked at in one go.
  static let step = 20_000
  /// Things that one look finds. Of more only the number would be told anyway.
  static let most = 2000

  init(cursor: Int64) { self.cursor = cursor }
}
