@_exported import Combine
@_exported import Foundation
@_exported import Observation

/// Documentation: *View*. iOS 13.0.
@MainActor @preconcurrency public protocol View {
  /// Documentation: *Body*. iOS 13.0.
  associatedtype Body: View
  /// Documentation: *body*. iOS 13.0.
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
  public var body: Never { self }
}

/// A view that the framework draws itself, without a body.
@MainActor protocol PrimitiveView {
  /// Says what is there, and what is below.
  func update(_ node: ViewNode)
}

extension View where Body == Never {
  public var body: Never { fatalError("a view that the framework draws has no body") }
}
