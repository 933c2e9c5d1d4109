/// What became of the path of a stack of screens.
enum NavigationPathChange: String, Sendable {
  case push
  case pop
  case popToRoot = "pop_to_root"
  case replace

  /// - Returns: nil when the same screen is on top as before, at the same depth.
  static func between<Path: RandomAccessCollection>(_ before: Path, _ after: Path) -> NavigationPathChange?
  where Path.Element: Equatable {
    if after.count > before.count, after.starts(with: before) { return .push }
    if after.count < before.count, before.starts(with: after) { return after.isEmpty ? .popToRoot : .pop }
    return after.count == before.count && after.last == before.last ? nil : .replace
  }
}
