import AsyncHTTPClient
import Foundation
import NIOCore

extension CollectorClient {
  enum TailMessage {
    /// The collector listens; said again after each interruption.
    case listening
    case event(JSON)
  }

  /// Follows events as they arrive, and goes on where it was when the connection breaks off, until `each` returns false or
  /// the task is cancelled.
  ///
  /// - Throws: ``Failure`` when nobody answers at the start, or the collector refuses.
  func tail(_ query: [(String, String?)], each: (TailMessage) async throws -> Bool) async throws {
    var last: String?
    var hasListened = false
    var pause = Duration.milliseconds(250)
    while true {
      do {
        var request = request("/api/tail", query)
        request.headers.replaceOrAdd(name: "Accept", value: "text/event-stream")
        if let last { request.headers.add(name: "Last-Event-ID", value: last) }
        let response = try await Self.http.execute(request, deadline: .distantFuture)
        guard response.status == .ok else {
          throw refusal(status: Int(response.status.code), body: try await response.body.collect(upTo: 1 << 20))
        }
        hasListened = true
        pause = .milliseconds(250)
        guard try await each(.listening) else { return }
        var stream = EventStream()
        for try await chunk in response.body {
          for message in stream.feed(chunk.readableBytesView) {
            last = message.id ?? last
            guard message.event == "sdk-event",
              let event = try? JSONDecoder().decode(JSON.self, from: Data(message.data.utf8))
            else { continue }
            guard try await each(.event(event)) else { return }
          }
        }
      } catch let failure as Failure {
        throw failure
      } catch is CancellationError {
        return
      } catch {
        // Nobody there at all is an error; an answer that broke off is a reason to ask again.
        if !hasListened { _ = try await raw("/health") }
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .seconds(5))
    }
  }

  /// Hands on the body of a good answer in pieces, whatever its size.
  ///
  /// - Throws: ``Failure``, with what the collector said was wrong.
  func stream(_ request: HTTPClientRequest, _ piece: (ByteBuffer) throws -> Void) async throws {
    do {
      let response = try await Self.http.execute(request, timeout: .hours(1))
      guard response.status == .ok else {
        throw refusal(status: Int(response.status.code), body: try await response.body.collect(upTo: 1 << 20))
      }
      for try await part in response.body { try piece(part) }
    } catch let failure as Failure {
      throw failure
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw unreachable(error)
    }
  }
}
