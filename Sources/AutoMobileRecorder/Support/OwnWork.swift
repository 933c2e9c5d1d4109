import CAutoMobile
import Dispatch

/// Says which threads do the SDK's own work, so that a crash handler can tell the SDK's crash from the app's.
package enum OwnWork {
  /// Calls `body`: a fault of this thread is the SDK's meanwhile. Neither waits nor allocates.
  package static func run<Value>(_ body: () throws -> Value) rethrows -> Value {
    let mark = am_own_work_begin()
    defer { am_own_work_end(mark) }
    return try body()
  }

  /// Calls code of the app's, in the middle of the SDK's work or anywhere: a fault is the app's meanwhile.
  static func pause<Value>(_ body: () throws -> Value) rethrows -> Value {
    let mark = am_own_work_pause()
    defer { am_own_work_resume(mark) }
    return try body()
  }
}

// In this module these stand before Dispatch's own methods of the same names: what the SDK hands to a queue, whichever, is
// the SDK's work, and no call of theirs can forget to say so.
extension DispatchQueue {
  package func async(execute work: @escaping @Sendable () -> Void) {
    let isUrgent = BackgroundQueue.isUrgent
    async(group: nil, qos: isUrgent ? .userInitiated : .unspecified, flags: isUrgent ? .enforceQoS : []) {
      OwnWork.run(work)
    }
  }

  package func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
    asyncAfter(deadline: deadline, qos: .unspecified, flags: []) { OwnWork.run(work) }
  }
}
