@_exported import Foundation

/// Documentation: *View*. iOS 13.0.
@MainActor @preconcurrency public protocol View {
  /// Documentation: *Body*. iOS 13.0.
  associatedtype Body: View
  /// Documentation: *body*. iOS 13.0.
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

/// Documentation: *ViewBuilder*. iOS 13.0.
@resultBuilder public struct ViewBuilder {
  /// Documentation: *buildBlock(_:)*. iOS 13.0.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

extension Never: View {
  public var body: Never { self }
}

/// A view that the framework draws itself, without a body.
@MainActor protocol PrimitiveView {
  /// The view comes on a screen.
  func install(on screen: SimulatedScreen)
}

extension View where Body == Never {
  public var body: Never { fatalError("a view that the framework draws has no body") }
}
