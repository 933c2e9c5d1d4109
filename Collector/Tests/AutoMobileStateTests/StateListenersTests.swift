import Testing

@testable import AutoMobileState

@Suite struct `Who hears the news` {
  @Test func `is told that anything may have changed when too much waited`() async {
    let listeners = StateListeners()
    let news = listeners.listen(to: [.projects])
    for number in 1...1000 { listeners.tell(StateNews(.projects, "\(number)")) }
    listeners.finish()
    var heard: [StateNews] = []
    for await piece in news { heard.append(piece) }
    #expect(heard.count == 256)
    #expect(heard.contains(.everything))
    // All that came after the last that was dropped is there.
    #expect(heard.last == .everything && heard.contains(StateNews(.projects, "1000")))
  }

  @Test func `hears what it asked for, and what is for all`() async {
    let listeners = StateListeners()
    let news = listeners.listen(to: [.people, .asks])
    listeners.tell(StateNews(.projects))
    listeners.tell(StateNews(.asks, "1"))
    listeners.tell(.everything)
    listeners.tell(StateNews(.people))
    listeners.finish()
    listeners.tell(StateNews(.people))
    var heard: [StateNews] = []
    for await piece in news { heard.append(piece) }
    #expect(heard == [StateNews(.asks, "1"), .everything, StateNews(.people)])
    for await _ in listeners.listen(to: [.people]) { Issue.record("it is over") }
  }
}
