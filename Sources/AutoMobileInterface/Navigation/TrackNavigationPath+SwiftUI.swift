#if canImport(SwiftUI)
import AutoMobileRecorder
import SwiftUI

/// Reports the screen on top of a stack whenever the stack's path changes.
struct TrackNavigationPathModifier<Path: RandomAccessCollection & Equatable>: ViewModifier
where Path.Element: Hashable {
  let path: Path
  let root: String?
  let destination: (Path.Element) -> String
  let arguments: (Path.Element) -> [String: String]

  func body(content: Content) -> some View {
    content
      .onAppear { ErrorBarrier.run(.viewAppearance) { report(path, nil) } }
      .onChange(of: path) { [path] new in
        ErrorBarrier.run(.viewAppearance) {
          if let change = NavigationPathChange.between(path, new) { report(new, change) }
        }
      }
  }

  private func report(_ path: Path, _ change: NavigationPathChange?) {
    guard let name = path.last.map(destination) ?? root else { return }
    SwiftUINavigationAdapter.shared.trackPath(
      destination: name, arguments: path.last.map(arguments) ?? [:], change: change, depth: path.count)
  }
}

extension View {
  /// Reports the screens of a navigation stack, whichever way people get there: by a link, by the way back, by a path that
  /// the app sets.
  ///
  ///     NavigationStack(path: $path) { MenuView() … }
  ///       .trackNavigationPath(path, root: "menu") { route in route.name }
  ///
  /// The screen on top is what is reported, with how the path changed (`push`, `pop`, `pop_to_root`, `replace`) and how deep
  /// it is in `NavigationEvent.metadata`. A screen that also has `.trackNavigation(destination:)`, by the same name, is
  /// reported once. A `NavigationPath` does not tell what is in it: there, use `.trackNavigation(destination:)`.
  ///
  /// - Parameters:
  ///   - path: the stack's, as it is now.
  ///   - root: the name of the screen at the bottom; nil: it is not reported.
  ///   - destination: what the screen of an element is called.
  ///   - arguments: what it shows, such as an id.
  public func trackNavigationPath<Path: RandomAccessCollection & Equatable>(
    _ path: Path, root: String? = nil, destination: @escaping (Path.Element) -> String,
    arguments: @escaping (Path.Element) -> [String: String] = { _ in [:] }
  ) -> some View where Path.Element: Hashable {
    modifier(TrackNavigationPathModifier(path: path, root: root, destination: destination, arguments: arguments))
  }
}
#endif
