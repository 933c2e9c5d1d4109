@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Testing

/// What the interception takes for granted of Foundation on Linux. Should a later version be otherwise, this says so first.
@Suite struct LinuxFoundationTests {
  @Test func `the work queues of all sessions are one after the other, never at the same time`() async throws {
    let first = try #require(ReachedTask.workQueue(of: URLSession(configuration: .ephemeral)))
    let second = try #require(ReachedTask.workQueue(of: URLSession(configuration: .ephemeral)))
    let isAlone = await withCheckedContinuation { continuation in
      first.async {
        let reached = DispatchSemaphore(value: 0)
        second.async { reached.signal() }
        continuation.resume(returning: reached.wait(timeout: .now() + 0.3) == .timedOut)
      }
    }
    #expect(isAlone)
  }

  @Test func `a task's session, delegate and body can be reached`() async throws {
    let session = URLSession(
      configuration: .ephemeral, delegate: HostDelegate(Scenario(name: "", path: "")), delegateQueue: nil)
    let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
    let queue = try #require(ReachedTask.workQueue(of: session))
    func reached(_ task: URLSessionTask) async throws -> ReachedTask {
      // On the work queue, as a protocol is; and by then the session has put the task down.
      let task = task
      nonisolated(unsafe) var reached: ReachedTask?
      await withCheckedContinuation { continuation in
        queue.async {
          reached = ReachedTask(task)
          continuation.resume()
        }
      }
      return try #require(reached)
    }
    let told = try await reached(session.dataTask(with: request))
    #expect(told.session === session && told.tellsDelegate && !told.wantsWholeBody)
    let completed = try await reached(session.dataTask(with: request) { _, _, _ in })
    #expect(!completed.tellsDelegate && completed.wantsWholeBody)
    guard case .data(let data) = try await reached(session.uploadTask(with: request, from: Data("a".utf8))).body,
      case .file(let file) = try await reached(
        session.uploadTask(with: request, fromFile: URL(fileURLWithPath: "/a"))
      ).body,
      case .onDemand = try await reached(session.uploadTask(withStreamedRequest: request)).body
    else {
      Issue.record("a body was not reached")
      return
    }
    #expect(data == Data("a".utf8) && file.path == "/a")
    #expect(NativeLoader.protocolClass != nil)
  }
}
#endif
