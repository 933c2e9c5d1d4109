import ArgumentParser
import AutoMobileCollector
import Foundation

/// What a forwarder is set to, beside its URL.
struct ForwarderOptions: ParsableArguments {
  @Option(help: "Its name; without one, the host.")
  var name: String?

  @Option(help: "protobuf or json.")
  var format: String?

  @Flag(inversion: .prefixedNo, help: "Compress what is sent.")
  var gzip: Bool?

  @Option(
    help: ArgumentHelp("A header, visible to all users in the process list. Again for more.", valueName: "name: value"))
  var header: [String] = []

  @Option(help: "A file with headers, each on a line: Authorization: Bearer TOKEN")
  var headerFile: String?

  @Option(name: .customLong("type"), help: "Only events of these types, separated by commas: log,crash.")
  var types: String?

  @Option(help: "Only events from this level upwards: verbose, debug, info, warning, error, fault.")
  var level: String?

  @Option(help: "Only events of the app with this bundle id; \"*\" for all.")
  var app: String?

  @Option(help: "So many events may wait for the receiver; older ones are left out, and counted. 0: all may.")
  var mostBehind: Int?

  /// The members that are given.
  func body() throws -> [String: JSON] {
    var body: [String: JSON] = [:]
    for (member, value) in [("name", name), ("format", format), ("level", level), ("bundleId", app)] {
      if let value { body[member] = .string(value) }
    }
    if let gzip { body["gzip"] = .bool(gzip) }
    if let mostBehind { body["mostBehind"] = JSON(mostBehind) }
    if types != nil { body["types"] = .array(typeList.map { .string($0) }) }
    let headers = try self.headers()
    if !header.isEmpty || headerFile != nil { body["headers"] = .object(headers.mapValues { .string($0) }) }
    return body
  }

  /// Says what is odd about it.
  func doubt(_ receiver: String?, _ console: Console) {
    for type in typeList where !Collector.eventTypes.contains(type) {
      console.note("No event type “\(Printable.text(type))” is known; it is waited for.")
    }
    if receiver?.lowercased().hasPrefix("http://") == true, !header.isEmpty || headerFile != nil {
      console.note("The headers go to the receiver without encryption: the URL begins with http.")
    }
  }

  private var typeList: [String] {
    (types ?? "").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
  }

  private func headers() throws -> [String: String] {
    var lines = header
    if let headerFile {
      guard let data = try? FileHandle(forReadingFrom: URL(filePath: headerFile)).read(upToCount: 65_536) else {
        throw Failure(kind: .unavailable, message: "\(Printable.text(headerFile)) cannot be read.")
      }
      lines += String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
    return try lines.map(\.trimmed).filter { !$0.isEmpty }.reduce(into: [:]) { headers, line in
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
        // Not the line itself: it may be a token.
        throw Failure(kind: .unavailable, message: "A header has no name: write it as Authorization: Bearer TOKEN")
      }
      headers[line[..<colon].trimmed] = line[line.index(after: colon)...].trimmed
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
