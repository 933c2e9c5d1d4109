import CAutoMobile
import Dispatch

/// Asks the main queue to answer, and keeps its last answer.
final class MainQueueProbe: Sendable {
  private let answeredQuestion = AtomicWord()
  private let answerTime = AtomicWord()
  private let answeringThread = AtomicWord()

  init() {}

  /// Puts a question to the main queue. Questions are numbered upwards, from 1.
  func ask(_ question: UInt64) {
    DispatchQueue.main.async { [self] in
      MainQueueOwner.learn()
      answerTime.store(UInt64(bitPattern: Clocks.uptimeMilliseconds()))
      answeringThread.store(am_thread_current())
      // Last: whoever sees the number sees the time.
      answeredQuestion.store(question)
    }
  }

  /// Nil before the first.
  var answer: HangMachine.Answer? {
    let question = answeredQuestion.value
    guard question > 0 else { return nil }
    return HangMachine.Answer(question: question, time: Int64(bitPattern: answerTime.value))
  }

  /// The thread that serves the main queue; nil before the first answer, and when nobody does.
  var thread: am_thread_id? {
    switch MainQueueOwner.current {
    case .thread(let thread): return thread
    case .nobody: return nil
    case .unknown:
      let thread = answeringThread.value
      return thread == 0 ? nil : thread
    }
  }
}
