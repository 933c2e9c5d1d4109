import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

@Suite struct ScreenQuestionTests {
  /// A main thread that does what it is given when it is told to.
  private final class Main: Sendable {
    let waiting = Locked<[@Sendable () -> Void]>([])
    func run() {
      waiting.withLock { bodies in
        defer { bodies = [] }; return bodies
      }.forEach { $0() }
    }
  }

  private let main = Main()
  private let names = Locked<[String?]>([])
  private let asked = Locked(0)
  private let question: ScreenQuestion

  init() {
    question = ScreenQuestion { [main] body in
      main.waiting.withLock { $0.append(body) }
    } note: { [names] name in
      names.withLock { $0.append(name) }
    }
  }

  private func provide(_ name: String?) {
    question.setProvider { [asked] in
      asked.withLock { $0 += 1 }
      return name
    }
  }

  @Test func `the app is asked on the main thread only, and never twice at once`() {
    question.ask()
    #expect(main.waiting.withLock { $0.isEmpty }, "nobody to ask")
    provide("Checkout")
    for _ in 0..<5 { question.ask() }
    #expect(asked.withLock { $0 } == 0)
    #expect(main.waiting.withLock { $0.count } == 1)
    main.run()
    #expect(asked.withLock { $0 } == 1)
    #expect(names.withLock { $0 } == ["Checkout"])
    question.ask()
    main.run()
    #expect(asked.withLock { $0 } == 2)
  }

  @Test func `it is asked nothing while the SDK is off, not even what was on its way`() {
    provide("Checkout")
    question.ask()
    question.setResting(true)
    main.run()
    question.ask()
    main.run()
    #expect(asked.withLock { $0 } == 0)
    #expect(!question.isWanted)
    question.setResting(false)
    question.ask()
    main.run()
    #expect(names.withLock { $0 } == ["Checkout"])
  }

  @Test func `without a provider its last answer does not stay`() {
    provide("Checkout")
    question.ask()
    main.run()
    question.setProvider(nil)
    #expect(names.withLock { $0 } == ["Checkout", nil])
  }
}
