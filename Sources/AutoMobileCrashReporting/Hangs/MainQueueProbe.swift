import AutoMobileRecorder
import AutoMobileSupport
import CAutoMobile
import Dispatch

/// Asks the main queue to answer, and keeps its last answer.
///
/// Asking allocates nothing, since the main thread may hang while it holds the allocator: the questions go through a
/// Dispatch source that is made once.
final class MainQueueProbe: @unchecked Sendable {
  // Unchecked, because a Dispatch source is not declared `Sendable`, though it may be used from any thread.
  private let source: any DispatchSourceUserDataAdd
  private let board: Board

  /// What the watchdog and the main queue write for each other.
  private final class Board: Sendable {
    let question = AtomicWord()
    let answeredQuestion = AtomicWord()
    let answerTime = AtomicWord()
    let answeringThread = AtomicWord()

    /// Called on the main queue.
    func answer() {
      MainQueueOwner.learn()
      let question = question.value
      answerTime.store(UInt64(bitPattern: Clocks.uptimeMilliseconds()))
      answeringThread.store(am_thread_current())
      // Last: whoever sees the number sees the time.
      answeredQuestion.store(question)
    }
  }

  init() {
    let board = Board()
    self.board = board
    source = DispatchSource.makeUserDataAddSource(queue: .main)
    source.setEventHandler { board.answer() }
    source.activate()
  }

  deinit { source.cancel() }

  /// Puts a question to the main queue. Questions are numbered upwards, from 1; there is one at a time.
  func ask(_ question: UInt64) {
    board.question.store(question)
    source.add(data: 1)
  }

  /// Nil before the first.
  var answer: HangMachine.Answer? {
    let question = board.answeredQuestion.value
    guard question > 0 else { return nil }
    return HangMachine.Answer(question: question, time: Int64(bitPattern: board.answerTime.value))
  }

  /// The thread that serves the main queue; nil before the first answer, and when nobody does.
  var thread: am_thread_id? {
    switch MainQueueOwner.current {
    case .thread(let thread): return thread
    case .nobody: return nil
    case .unknown:
      let thread = board.answeringThread.value
      return thread == 0 ? nil : thread
    }
  }
}
