import ArgumentParser

/// Whether lines come with addresses in the viewer.
struct LinkOption: ParsableArguments {
  @Flag(name: .customLong("link"), help: "Add a link that opens it in the viewer.")
  var isOn = false
}

extension JSON {
  /// With its address in the viewer; `link` and `url` are names of what was recorded.
  func adding(viewerUrl address: String?) -> JSON { adding("viewerUrl", JSON(address)) }
}

extension CollectorClient {
  /// A session in the viewer; with an event, the moment at which that happened.
  func link(session: String, event: String? = nil) -> String {
    url.absoluteString + "/#/sessions/" + Self.segment(session) + (event.map { "?event=" + Self.segment($0) } ?? "")
  }

  /// The moment of something that has a session and a number: an event, a request, a report.
  func link(_ item: JSON, event name: String = "id") -> String? {
    guard let session = item["sessionId"]?.text else { return nil }
    return link(session: session, event: item[name]?.text)
  }

  /// The health page over the least of its ranges that reaches as far back: see `health/place.js`.
  func link(healthOf app: String?, version: String?, since: Span) -> String {
    let days = [1, 7, 14, 30, 90].first { Int64($0) * 86_400_000 >= since.milliseconds } ?? 90
    let members = [("app", app), ("version", version), ("days", days == 14 ? nil : String(days))]
    let query = members.compactMap { name, value in value.map { "\(name)=\(Self.segment($0))" } }
    return url.absoluteString + "/#/health" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  func link(issue: String) -> String { url.absoluteString + "/#/issues/" + Self.segment(issue) }
}

extension Console {
  /// A line with its address: below it where somebody reads, who can then click on it whole; beside it for programs.
  func linked(_ line: String, _ link: String?) -> String {
    guard let link else { return line }
    let address = style.dim(Printable.text(link))
    return width == nil ? "\(line)  \(address)" : "\(line)\n    \(address)"
  }

  /// A table's lines, the first of which is its header, with the addresses of its rows, and what was found in them.
  func out(_ lines: [String], matches: [String?] = [], links: [String?]?) {
    for (index, line) in lines.enumerated() {
      let link = index == 0 ? nil : links.flatMap { $0.indices.contains(index - 1) ? $0[index - 1] : nil }
      out(linked(line, link))
      if index > 0, matches.indices.contains(index - 1), let match = matches[index - 1] { out(match) }
    }
  }
}
