/// Documentation: *Gesture*. iOS 13.0.
@MainActor @preconcurrency public protocol Gesture {
  /// Documentation: *Value*. iOS 13.0.
  associatedtype Value
}

extension Gesture {
  /// Documentation: *onEnded(_:)*. iOS 13.0.
  nonisolated public func onEnded(_ action: @escaping (Self.Value) -> Void) -> _EndedGesture<Self> {
    _EndedGesture(gesture: self, action: action)
  }
}

/// A gesture of taps, which is all that the simulation has.
@MainActor protocol RecognizesTaps: Gesture {
  func tapped(at location: CGPoint) -> Value
}

/// Documentation: *TapGesture*. iOS 13.0.
nonisolated public struct TapGesture: Gesture, RecognizesTaps {
  public typealias Value = Void

  /// Documentation: *init(count:)*. iOS 13.0.
  public init(count: Int = 1) {}

  @MainActor func tapped(at location: CGPoint) {}
}

/// Documentation: *SpatialTapGesture*. iOS 16.0.
nonisolated public struct SpatialTapGesture: Gesture, RecognizesTaps {
  /// Documentation: *SpatialTapGesture.Value*. iOS 16.0.
  public struct Value: Equatable, @unchecked Sendable {
    /// Documentation: *location*. iOS 16.0.
    public var location: CGPoint
  }

  /// Documentation: *init(count:coordinateSpace:)*. iOS 16.0.
  public init(count: Int = 1, coordinateSpace: CoordinateSpace = .local) {}

  @MainActor func tapped(at location: CGPoint) -> Value { Value(location: location) }
}

/// A gesture with something to do when it ends.
nonisolated public struct _EndedGesture<Content: Gesture>: Gesture {
  public typealias Value = Content.Value
  let gesture: Content
  let action: (Content.Value) -> Void

  @MainActor fileprivate func tap(at location: CGPoint) {
    func end(_ gesture: some RecognizesTaps) {
      if let value = gesture.tapped(at: location) as? Content.Value { action(value) }
    }
    if let gesture = gesture as? any RecognizesTaps { end(gesture) }
  }
}

@MainActor private protocol EndsWithTap {
  func tap(at location: CGPoint)
}

extension _EndedGesture: EndsWithTap {}

extension View {
  /// Documentation: *simultaneousGesture(_:including:)*. iOS 13.0.
  nonisolated public func simultaneousGesture<T: Gesture>(_ gesture: T) -> some View {
    let gesture = Unshared(gesture)
    return Decorated(content: self) { node in
      node.tapGestures = [{ (gesture.value as? any EndsWithTap)?.tap(at: $0) }]
    }
  }
}
