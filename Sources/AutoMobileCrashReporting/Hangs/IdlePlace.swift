import CAutoMobile

/// Knows the main thread when it waits for work, so that it need not be woken to be asked.
///
/// A thread that slept somewhere, and answered at once when it was asked, twice, waits for work when it sleeps there again: at the
/// same instruction, with the same stack pointer. Elsewhere than in its run loop both are hardly ever the same; and since the machine
/// asks now and then all the same, a mistake does not last. Allocates nothing.
struct IdlePlace {
  struct Place: Equatable {
    var stack: UInt64
    var code: UInt64

    init(stack: UInt64, code: UInt64) {
      self.stack = stack
      self.code = code
    }

    /// Where the thread sleeps now; nil while it runs, and when there is none.
    init?(_ thread: am_thread_id?) {
      var place = am_wait_place()
      guard let thread, am_thread_wait_place(thread, &place) else { return nil }
      self.init(stack: place.stack, code: place.code)
    }
  }

  private var candidate: Place?
  private var isConfirmed = false
  private var open: (question: UInt64, time: Int64, place: Place?)?

  /// An answer that took longer, in milliseconds, came from a thread that had something else to do.
  private static let atOnce: Int64 = 20

  func isIdle(at place: Place?) -> Bool { isConfirmed && place != nil && place == candidate }

  /// A question was put to a thread that slept there.
  mutating func asked(_ question: UInt64, at time: Int64, _ place: Place?) { open = (question, time, place) }

  /// The last answer that there is.
  mutating func heard(_ answer: HangMachine.Answer?) {
    guard let answer, let asked = open, answer.question == asked.question else { return }
    open = nil
    let wasIdle = answer.time &- asked.time <= Self.atOnce
    isConfirmed = wasIdle && asked.place != nil && asked.place == candidate
    candidate = wasIdle ? asked.place : nil
  }
}
