#if os(macOS) || os(Linux)
import AutoMobileSupport
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A delegate forwarder forgets tasks, also those of whose end nobody tells it.
@Suite struct SeenTasksTests {
  @Test func `thousands of tasks with closures leave next to nothing behind`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    await log.observing {
      let delegate = AutoMobileSessionDelegate()
      let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
      let most = Locked(0)
      for _ in 0..<40 {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<50 {
            group.addTask {
              await withCheckedContinuation { continuation in
                var request = URLRequest(url: server.url("/echo"))
                request.httpMethod = "POST"
                let task = session.uploadTask(with: request, from: Data("hello".utf8)) { _, _, _ in
                  continuation.resume()
                }
                // What a system tells the delegate of such a task differs: it is told here that something was sent.
                delegate.urlSession(
                  session, task: task, didSendBodyData: 1, totalBytesSent: 1, totalBytesExpectedToSend: 5)
                task.resume()
              }
            }
          }
        }
        most.withLock { $0 = max($0, delegate.countOfSeen) }
      }
      #expect(most.withLock { $0 } <= 4 * 50 + SeenTasks<Int>.least, "of 2000")
      session.invalidateAndCancel()
      #expect(await eventually { delegate.countOfSeen == 0 })
    }
  }

  @Test func `a task that is never resumed, or whose session is invalidated, is forgotten`() async throws {
    let log = ExchangeLog()
    try await log.observing {
      let delegate = AutoMobileSessionDelegate()
      let url = try #require(URL(string: "http://127.0.0.1:1/"))
      let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
      let other = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
      let kept = session.dataTask(with: url)
      let others = other.dataTask(with: url)
      for (session, task) in [(session, kept), (other, others)] { delegate.note(task, in: session) }
      #expect(delegate.countOfSeen == 2)
      session.invalidateAndCancel()
      #expect(await eventually { delegate.countOfSeen == 1 })
      withExtendedLifetime(kept) {}
      other.invalidateAndCancel()
      #expect(await eventually { delegate.countOfSeen == 0 })
      withExtendedLifetime(others) {}
    }
  }

  @Test func `nothing is kept of tasks while nobody wants to know of requests`() throws {
    let delegate = AutoMobileSessionDelegate()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/")))
    delegate.note(task, in: session)
    #expect(delegate.countOfSeen == 0)
    session.invalidateAndCancel()
  }

  @Test func `what was seen of one task is not taken for another at the same address`() throws {
    let seen = SeenTasks<Int>()
    let session = URLSession(configuration: .ephemeral)
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    var addresses: Set<ObjectIdentifier> = []
    var hasMetAgain = false
    // Until an address is used again, which takes a few tasks.
    for number in 0..<10_000 where !hasMetAgain {
      let task = session.dataTask(with: url)
      hasMetAgain = !addresses.insert(ObjectIdentifier(task)).inserted
      seen.change(task, in: session, new: { number }, { #expect($0 == number) })
      task.cancel()
    }
    session.invalidateAndCancel()
  }

  @Test func `a task that is kept after its end is forgotten, and one under way is not`() async throws {
    let server = try await OddServer()
    let seen = SeenTasks<Int>()
    let session = URLSession(configuration: .ephemeral)
    let waiting = session.dataTask(with: server.url("/slow/600"))
    waiting.resume()
    seen.change(waiting, in: session, new: { 7 }, { _ in })
    var ended: [URLSessionTask] = []
    for _ in 0..<400 {
      let task = session.dataTask(with: server.url("/echo"))
      task.cancel()
      #expect(await eventually { task.state == .completed })
      ended.append(task)
      seen.change(task, in: session, new: { 0 }, { _ in })
    }
    #expect(seen.count < 300 && seen.remove(waiting) == 7)
    withExtendedLifetime(ended) {}
    session.invalidateAndCancel()
  }
}
#endif
