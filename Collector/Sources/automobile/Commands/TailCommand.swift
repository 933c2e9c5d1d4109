import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore

/// `automobile tail`: events as they arrive.
struct TailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail", abstract: "Follow events as they arrive.",
    discussion: "With --json, one event a line. Ctrl-C ends it.")

  @OptionGroup var filter: EventFilter
  @OptionGroup var collector: ConnectionOptions

  @Option(help: "Only this session's.")
  var session: String?

  @Option(help: "End after this many events.")
  var count: Int?

  func validate() throws {
    guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be at least 1.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try collector.client()
    var last: String?
    var shown = 0
    var pause = Duration.milliseconds(250)
    while true {
      do {
        var request = client.request("/api/tail", [("session", session)] + filter.query)
        request.headers.replaceOrAdd(name: "Accept", value: "text/event-stream")
        if let last { request.headers.add(name: "Last-Event-ID", value: last) }
        let response = try await CollectorClient.http.execute(request, deadline: .distantFuture)
        guard response.status == .ok else {
          throw client.refusal(status: Int(response.status.code), body: try await response.body.collect(upTo: 1 << 20))
        }
        if last == nil, shown == 0 { console.note(console.errorStyle.dim("Waiting for events. Ctrl-C ends.")) }
        pause = .milliseconds(250)
        var stream = EventStream()
        for try await chunk in response.body {
          for message in stream.feed(chunk.readableBytesView) {
            last = message.id ?? last
            guard message.event == "sdk-event",
              let event = try? JSONDecoder().decode(JSON.self, from: Data(message.data.utf8))
            else { continue }
            console.out(collector.json ? event.line : line(event, console))
            shown += 1
            if let count, shown >= count { return }
          }
        }
      } catch let failure as Failure {
        throw failure
      } catch is CancellationError {
        return
      } catch {
        // Nobody there at all is an error; an answer that broke off is a reason to ask again.
        if last == nil, shown == 0 { _ = try await client.raw("/health") }
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .seconds(5))
    }
  }

  private func line(_ event: JSON, _ console: Console) -> String {
    let time = Format.time(event["timestamp"]?.integer ?? 0, date: false)
    let who = event["context"]?["userId"]?.text ?? event["sessionId"]?.text.prefix(8).description ?? "–"
    let name = DisplayWidth.truncated(Printable.text(who), to: 16)
    let padding = String(repeating: " ", count: max(0, 16 - DisplayWidth.of(name)))
    return EventLine(event).rendered(lead: "\(time)  \(name)\(padding)", console)
  }
}
