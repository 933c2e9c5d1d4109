#if canImport(SwiftUI)
import AutoMobileRecorder
import SwiftUI

/// Counts the evaluations of the body that it stands in.
public struct TrackViewBodyModifier: ViewModifier {
  /// Counts: a body that is evaluated makes its modifiers anew. SwiftUI evaluates the body of a modifier only when that
  /// differs from the one before, which this one never does.
  public init(id: String, viewName: String? = nil) {
    ViewBodyTracker.shared.recordBodyEvaluation(id: id, viewName: viewName)
  }

  public func body(content: Content) -> some View { content }
}

extension View {
  /// Counts how often the body that this stands in is evaluated, while ``ViewBodyTracker`` is enabled.
  ///
  ///     var body: some View {
  ///       List(orders) { OrderRow($0) }
  ///         .trackViewBody(id: "orders")
  ///     }
  ///
  /// - Parameters:
  ///   - id: the same for all evaluations that are counted together.
  ///   - viewName: what people call it.
  public func trackViewBody(id: String, viewName: String? = nil) -> some View {
    modifier(TrackViewBodyModifier(id: id, viewName: viewName))
  }
}

/// Counts how often its content is made, and how long that takes, while ``ViewBodyTracker`` is enabled.
///
///     var body: some View {
///       MeasureViewBody(id: "orders") { List(orders) { OrderRow($0) } }
///     }
///
/// What is measured is the closure: the bodies of the views in it are evaluated later, each for itself.
public struct MeasureViewBody<Content: View>: View {
  private let id: String
  private let viewName: String?
  private let content: () -> Content

  public init(id: String, viewName: String? = nil, @ViewBuilder content: @escaping () -> Content) {
    self.id = id
    self.viewName = viewName
    self.content = content
  }

  public var body: some View {
    guard ViewBodyTracker.shared.isEnabled else { return content() }
    let start = Clocks.uptimeNanoseconds()
    let made = content()
    let duration = Double(Clocks.uptimeNanoseconds() &- start) / 1e6
    ViewBodyTracker.shared.recordBodyEvaluation(id: id, viewName: viewName)
    ViewBodyTracker.shared.recordDuration(id: id, durationMs: duration)
    return made
  }
}
#endif
