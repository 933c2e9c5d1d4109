#if canImport(AutoMobileErrorBarrier)
import AutoMobileErrorBarrier
#endif

/// Keeps Objective-C exceptions from going through the SDK: around every callback into code of the app, and around
/// every entry from a system framework.
///
/// An exception that leaves such a call ends here, and is counted in ``AutoMobileDiagnostics/internalFailures``. Frames
/// of Swift between the throw and here are left without clean-up, as the language has it: what they had retained
/// leaks, so a barrier holds one call and no more. Swift's own traps cannot be caught; see CONTRIBUTING.
///
/// Where there is no Objective-C, the closure is just called. Any thread; nested as you like.
package enum ErrorBarrier {
  /// Calls `body`.
  ///
  /// - Returns: what was caught; nil when nothing was thrown.
  @discardableResult
  package static func run(_ place: BarrierPlace, _ body: () -> Void) -> BarrierFailure? {
    #if canImport(AutoMobileErrorBarrier)
    _ = isTold
    let failure =
      place.isOwnWork
      ? OwnWork.run { AMErrorBarrierRun(place.rawValue, body) }
      : OwnWork.pause { AMErrorBarrierRun(place.rawValue, body) }
    return failure.map(BarrierFailure.init)
    #else
    if place.isOwnWork { OwnWork.run(body) } else { OwnWork.pause(body) }
    return nil
    #endif
  }

  /// The value that `body` gives, or `otherwise` when it throws an exception.
  package static func run<Value>(_ place: BarrierPlace, or otherwise: Value, _ body: () -> Value) -> Value {
    var value = otherwise
    run(place) { value = body() }
    return value
  }

  #if canImport(AutoMobileErrorBarrier)
  /// What the blocks and the proxies of `AutoMobileErrorBarrier` catch is told to ``InternalFailures``.
  private static let isTold: Void = AMErrorBarrierSetHandler { failure in
    InternalFailures.shared.note(BarrierFailure(failure))
  }
  #endif
}

/// An Objective-C exception that a barrier caught.
package struct BarrierFailure: Error, Sendable, Equatable {
  /// A ``BarrierPlace``, or the method of a proxy: `-[Adapter didChange:]`.
  package var place: String
  /// The exception's.
  package var name: String
  package var reason: String
  /// Where it was thrown, innermost first.
  package var returnAddresses: [UInt64] = []
}

#if canImport(AutoMobileErrorBarrier)
extension BarrierFailure {
  fileprivate init(_ failure: AMBarrierFailure) {
    self.init(
      place: failure.place, name: failure.name, reason: failure.reason,
      returnAddresses: failure.returnAddresses.map(\.uint64Value))
  }
}
#endif
