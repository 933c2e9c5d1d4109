import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// How often an app that listens for news asks, whatever the collector and the network do.
@Suite struct `The pace of listening` {
  /// A channel of an app that keeps what it records, with everything between it and the collector in the test's hands.
  private struct Bench {
    let control: ControlBench
    let fetches: ScriptedTransport
    let questions: ScriptedTransport
    let channel: ControlChannel
    var clock: ManualClock { control.clock }

    init(
      clock: ControlBench, asker: String? = "user=eve", fetches: ScriptedTransport, questions: ScriptedTransport,
      isSavingPower: @escaping @Sendable () -> Bool = { false }
    ) throws {
      control = clock
      self.fetches = fetches
      self.questions = questions
      let url = try #require(URL(string: "https://a.example.com"))
      channel = try #require(
        control.channel(to: url, transport: fetches, pollTransport: questions, isSavingPower: isSavingPower))
      channel.queue.sync { [channel] in if let asker { channel.setAsker { asker } } }
      // As the runtime does it.
      channel.observe(UploadSection.self) { [weak channel] section in
        if section.policy != nil { channel?.setAsker { "user=eve" } }
      }
      channel.start()
      settle()
    }

    /// Waits until nothing is left to do on the channel's queue; what is done there may leave something to do.
    func settle() { for _ in 0..<200 { channel.queue.sync {} } }

    func pass(seconds: Int) {
      for _ in 0..<seconds {
        clock.advance(milliseconds: 1000)
        settle()
      }
    }
  }

  @Test func `an answer that only took its time was not held, and the next question waits longer each time`() throws {
    let control = try ControlBench()
    let bench = try Bench(
      clock: control, fetches: ScriptedTransport { _, _ in .document(offer: "50") },
      questions: ScriptedTransport { [clock = control.clock] _, number in
        guard number < 9 else { return nil }
        // A slow network, or a collector with no place and much to do.
        clock.pass(milliseconds: 24_000)
        return .control(204, offer: "50")
      })
    for _ in 0..<9 {
      bench.clock.advance()
      bench.settle()
    }
    #expect(bench.clock.waits == [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    #expect(bench.questions.requests.count == 10)
    bench.channel.stop()
  }

  @Test func `one that was held for half of its time or longer is asked again at once, and ends the pauses`() throws {
    let control = try ControlBench()
    let bench = try Bench(
      clock: control, fetches: ScriptedTransport { _, _ in .document(offer: "50") },
      questions: ScriptedTransport { [clock = control.clock] _, number in
        guard number < 6 else { return nil }
        clock.pass(milliseconds: number % 3 == 2 ? 25_000 : 100)
        return .control(204, offer: "50")
      })
    for _ in 0..<4 {
      bench.clock.advance()
      bench.settle()
    }
    #expect(bench.clock.waits == [1000, 2000, 1000, 2000])
    #expect(bench.questions.requests.count == 7)
    bench.channel.stop()
  }

  @Test func `news is asked for once, and a tag that asking never leads to makes nobody hurry`() throws {
    let control = try ControlBench()
    let bench = try Bench(
      clock: control,
      // Whatever is asked for it, the document in use stays what it is.
      fetches: ScriptedTransport { _, number in number == 0 ? .document(offer: "50") : .control(304, offer: "50") },
      questions: ScriptedTransport { _, number in number < 6 ? .control(204, tag: "9-nowhere", offer: "50") : nil })
    for _ in 0..<40 where bench.questions.requests.count < 7 {
      bench.clock.advance()
      bench.settle()
    }
    let pauses = bench.clock.waits.filter { [1000, 2000, 4000, 8000, 16_000, 32_000].contains($0) }
    #expect(pauses.suffix(5) == [2000, 4000, 8000, 16_000, 32_000])
    bench.channel.stop()
  }

  @Test func `who has lost the collector's offer looks for another one after a minute, and listens again`() throws {
    let bench = try Bench(
      clock: ControlBench(), fetches: ScriptedTransport { _, _ in .document(offer: "50") },
      // As a collector does that is about to go, or has no place any more.
      questions: ScriptedTransport { _, number in number == 0 ? .control(204) : nil })
    #expect(bench.questions.requests.count == 1 && bench.fetches.requests.count == 1)
    bench.pass(seconds: 59)
    #expect(bench.fetches.requests.count == 1)
    bench.pass(seconds: 20)
    #expect(bench.fetches.requests.count == 2)
    #expect(bench.fetches.requests.last?.headers["X-AutoMobile-Asker"] == "user=eve")
    #expect(bench.questions.requests.count == 2 && bench.questions.held == 1)
    bench.channel.stop()
  }

  @Test func `something else in the collector's place ends it for a minute too`() throws {
    let bench = try Bench(
      clock: ControlBench(), fetches: ScriptedTransport { _, _ in .document(offer: "50") },
      questions: ScriptedTransport { _, number in number == 0 ? .control(404) : nil })
    bench.pass(seconds: 80)
    #expect(bench.questions.requests.count == 2 && bench.questions.held == 1)
    bench.channel.stop()
  }

  @Test func `an offer is sought more and more seldom, in the foreground only, and by nobody who keeps nothing`() throws
  {
    let bench = try Bench(
      clock: ControlBench(), fetches: ScriptedTransport { _, _ in .document() },
      questions: ScriptedTransport { _, _ in nil })
    for _ in 0..<6 {
      bench.clock.advance()
      bench.settle()
    }
    let minutes: [Int64] = [1, 2, 4, 8, 16, 16, 16]
    #expect(bench.clock.waits.count == minutes.count && bench.fetches.requests.count == minutes.count)
    for (wait, minute) in zip(bench.clock.waits, minutes) {
      #expect((minute * 60_000...minute * 75_000).contains(wait))
    }
    bench.channel.wentToBackground()
    bench.clock.advance(milliseconds: 1_300_000)
    bench.settle()
    #expect(bench.fetches.requests.count == minutes.count)
    bench.channel.cameToForeground()
    bench.settle()
    #expect(bench.fetches.requests.count == minutes.count + 1)
    bench.channel.queue.sync { bench.channel.setAsker(nil) }
    bench.clock.advance(milliseconds: 1_300_000)
    bench.settle()
    #expect(bench.fetches.requests.count == minutes.count + 1)
    bench.channel.stop()
  }

  @Test func `who is told from afar to keep what it records tells the collector at once, and listens`() throws {
    // A collector offers to hold questions only to those who say whom they may be asked for.
    let bench = try Bench(
      clock: ControlBench(), asker: nil,
      fetches: ScriptedTransport { request, _ in
        .document(#""upload":{"mode":"whenTriggered"}"#, offer: request.headers["X-AutoMobile-Asker"].map { _ in "50" })
      }, questions: ScriptedTransport { _, _ in nil })
    #expect(bench.fetches.requests.map { $0.headers["X-AutoMobile-Asker"] } == [nil, "user=eve"])
    #expect(bench.questions.requests.count == 1 && bench.questions.held == 1)
    // It is told once.
    bench.channel.queue.sync { bench.channel.setAsker { "user=ada" } }
    bench.settle()
    #expect(bench.fetches.requests.count == 2)
    bench.channel.stop()
  }

  @Test func `at a launch that keeps what it records the collector is asked once`() throws {
    let control = try ControlBench()
    let fetches = ScriptedTransport { _, _ in .document(offer: "50") }
    let url = try #require(URL(string: "https://a.example.com"))
    let channel = try #require(
      control.channel(to: url, transport: fetches, pollTransport: ScriptedTransport { _, _ in nil }))
    channel.observe(UploadSection.self) { [weak channel] _ in channel?.setAsker { "user=eve" } }
    channel.start()
    for _ in 0..<200 { channel.queue.sync {} }
    #expect(fetches.requests.count == 1)
    channel.stop()
  }

  @Test func `Low Power Mode ends it at once, and its end begins it again`() throws {
    let isSaving = Locked(false)
    let bench = try Bench(
      clock: ControlBench(), fetches: ScriptedTransport { _, _ in .document(offer: "50") },
      questions: ScriptedTransport { _, _ in nil }, isSavingPower: { isSaving.withLock { $0 } })
    #expect(bench.questions.held == 1)
    for isOn in [true, false] {
      isSaving.withLock { $0 = isOn }
      NotificationCenter.default.post(name: ControlChannel.powerChange, object: nil)
      bench.settle()
      #expect(bench.questions.held == (isOn ? 0 : 1))
    }
    #expect(bench.questions.requests.count == 2)
    bench.channel.stop()
  }

  @Test func `a pause that is over before what it gave up has ended leaves nothing unasked`() throws {
    let bench = try Bench(
      clock: ControlBench(), fetches: ScriptedTransport { _, number in number == 0 ? nil : .document(offer: "50") },
      questions: ScriptedTransport { _, _ in nil })
    #expect(bench.fetches.held == 1)
    bench.channel.queue.suspend()
    bench.channel.setPaused(true)
    bench.channel.setPaused(false)
    bench.channel.queue.resume()
    bench.settle()
    #expect(bench.fetches.requests.count == 2 && bench.questions.held == 1)
    bench.channel.stop()
  }

  @Test func `a pause in which what it gave up ends is followed by a request, however soon`() throws {
    let bench = try Bench(
      clock: ControlBench(), fetches: ScriptedTransport { _, number in number == 0 ? nil : .document(offer: "50") },
      questions: ScriptedTransport { _, _ in nil })
    bench.channel.setPaused(true)
    bench.settle()
    bench.channel.setPaused(false)
    bench.settle()
    #expect(bench.fetches.requests.count == 2 && bench.questions.held == 1)
    // One that has been answered is not put again so soon.
    bench.channel.setPaused(true)
    bench.channel.setPaused(false)
    bench.settle()
    #expect(bench.fetches.requests.count == 2 && bench.questions.held == 1)
    bench.channel.stop()
  }

  @Test func `news that comes soon after news is heard soon, however often`() throws {
    let control = try ControlBench()
    let bench = try Bench(
      clock: control,
      fetches: ScriptedTransport { _, number in .document(tag: "0-test-\(number)", offer: "50") },
      questions: ScriptedTransport { _, number in
        number < 8 ? .control(204, tag: "0-test-\(number + 1)", offer: "50") : nil
      })
    bench.pass(seconds: 20)
    #expect(bench.questions.requests.count == 9)
    #expect(bench.channel.queue.sync { bench.channel.state.tag } == "0-test-8")
    bench.channel.stop()
  }
}
