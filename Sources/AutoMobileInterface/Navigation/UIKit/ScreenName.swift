/// Which view controllers are screens of the app, by their classes.
enum ScreenName {
  /// The screen's name: the class's; nil when it is none of the app's.
  ///
  /// - Parameters:
  ///   - name: the class's, without its module.
  ///   - ancestry: the class and those that it is derived from, with their modules.
  ///   - isOfApp: it comes from the app, and not from a framework of the system's.
  static func of(_ name: String, ancestry: [String], isOfApp: Bool) -> String? {
    // What SwiftUI shows is named by `.trackNavigation`; its hosts would be screens of long generic names besides.
    guard isOfApp, !ancestry.contains(where: { $0.hasPrefix("SwiftUI.") }) else { return nil }
    return TapTarget.bounded(name)
  }
}
