import AutoMobileCollector
import Foundation
import Logging

/// The log on standard error, a line each: what it says can come from strangers too, a request's path for example.
struct ConsoleLog: LogHandler {
  let label: String
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  init(label: String) { self.label = label }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(metadataProvider?.get() ?? [:]) { _, new in new }
      .merging(event.metadata ?? [:]) { _, new in new }
    let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    Console.standard.note(
      Printable.text("\(Format.time(WallClock.now)) \(event.level) \(label):\(details) \(event.message)"))
  }
}
