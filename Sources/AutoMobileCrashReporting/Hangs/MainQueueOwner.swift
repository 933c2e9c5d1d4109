import AutoMobileRecorder
import AutoMobileSupport
import CAutoMobile

/// The thread that is at work for the main queue.
///
/// On Apple platforms that is the main thread. On Linux a program with an asynchronous `main`, or one that called
/// `dispatchMain()`, has its main queue served by whatever thread of the pool is free. Dispatch keeps the number of that
/// thread in the queue itself, at a place that is not documented: so it is looked for while the main queue answers, when
/// we know what has to stand there, and used only when it was found exactly once.
enum MainQueueOwner: Equatable {
  /// Nobody can tell here.
  case unknown
  /// No thread works for it, though there may be work.
  case nobody
  case thread(am_thread_id)

  /// The word's index in the queue, plus one; 0 until it is known.
  private static let place = AtomicWord()
  private static let notFound = UInt64.max
  /// As many words as there are for sure.
  private static let searched = 24
  /// The bits of the word that hold a thread's number.
  private static let numberMask: UInt32 = 0x3FFF_FFFF

  /// Called on the main queue.
  static func learn() {
    guard place.value == 0 else { return }
    let own = UInt32(truncatingIfNeeded: am_thread_current())
    let found = am_main_queue_words().map { words in
      (0..<searched).filter { am_load_relaxed_u32(words + $0) & numberMask == own }
    }
    place.store(found?.count == 1 ? UInt64(clamping: found?.first ?? 0) &+ 1 : notFound)
  }

  static var current: MainQueueOwner {
    let place = place.value
    guard place > 0, place != notFound, let words = am_main_queue_words() else { return .unknown }
    let owner = am_load_relaxed_u32(words + Int(clamping: place &- 1)) & numberMask
    return owner == 0 ? .nobody : .thread(am_thread_id(owner))
  }
}
