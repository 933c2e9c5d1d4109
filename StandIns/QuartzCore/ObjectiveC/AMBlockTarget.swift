// `make check-apple` has Objective-C, and declares the SDK's own.
#if !canImport(ObjectiveC)
/// The twin of `AMBlockTarget` in `Sources/AutoMobileErrorBarrier`, with the same names, so that adapters are the same
/// text.
public final class AMBlockTarget: NSObject, SimulatedTarget {
  private let block: (Any?) -> Void

  public init(block: @escaping (Any?) -> Void) { self.block = block }

  public static var action: Selector { "invoke:" }

  public func simulateMessage(_ selector: Selector, _ argument: Any?) {
    if selector == Self.action { block(argument) }
  }
}
#endif
