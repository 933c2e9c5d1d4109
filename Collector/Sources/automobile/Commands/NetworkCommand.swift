import ArgumentParser
import AutoMobileCollector
import AutoMobileHTTP
import AutoMobileHTTPExport
import Foundation

/// `automobile network [REQUEST]`: requests of all apps, or one of them whole.
struct NetworkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "network", abstract: "List requests, newest first, or show one in full.",
    discussion: """
      With a request's number: its headers, bodies and timings; --curl makes a command line of it, --har an HTTP archive. \
      Without one: a list, which the options filter. With --json, one request per line.

        automobile network --errors --since 1h
        automobile network --host api.example.com --slowest --limit 10
        automobile network --tracer 4f1c… --har failing.har
        automobile network -f --status 5xx
        automobile network --log DIR --errors
        automobile network --log DIR --clear --yes
      """)

  @Argument(help: "A request’s number, from the list.")
  var request: String?

  @OptionGroup var filter: RequestFilter

  @Option(help: "Maximum number to list.")
  var limit: Int?

  @Flag(help: "Slowest first.")
  var slowest = false

  @Flag(help: "Count them by endpoint instead of listing them.")
  var stats = false

  @Flag(name: [.short, .long], help: "Follow new requests.")
  var follow = false

  @Flag(help: "The request as a command line for curl.")
  var curl = false

  @Flag(help: "The request as a fetch call in JavaScript.")
  var fetch = false

  @Option(help: ArgumentHelp("Write an HTTP archive (HAR 1.2); “-” is standard output.", valueName: "file"))
  var har: String?

  @Flag(help: "With --log: clear that log for everyone who reads it.")
  var clear = false

  @Flag(help: "Skip confirmation.")
  var yes = false

  @OptionGroup var link: LinkOption
  @OptionGroup var source: RequestSourceOptions

  func validate() throws {
    guard limit.map({ $0 > 0 }) ?? true else { throw ValidationError("--limit must be at least 1.") }
    if clear {
      guard source.log != nil else { throw ValidationError("--clear needs --log: it empties a log on the device.") }
      guard request == nil, !stats, !follow, !slowest, har == nil, filter.isEmpty else {
        throw ValidationError("--clear empties the whole log; it takes no other options than --log and --yes.")
      }
      guard yes else {
        throw ValidationError("This empties the log for everyone who reads it. Confirm with --yes.")
      }
    }
    if link.isOn, stats || source.log != nil {
      throw ValidationError(
        "--link goes with requests of a collector: the viewer has no page for a log on a device, or for a sum.")
    }
    if curl, request == nil { throw ValidationError("--curl needs a request’s number.") }
    if fetch, request == nil { throw ValidationError("--fetch needs a request’s number.") }
    if follow, request != nil || stats || slowest || har != nil {
      throw ValidationError("-f lists what arrives; it does not go with a number, --stats, --slowest or --har.")
    }
  }

  func run() async throws {
    let console = Console.standard
    if clear, let log = source.log { return try empty(LogRequests(path: log), console) }
    let requests = try source.open()
    if let request { return try await show(request, requests, console) }
    if let har { return try await archive(har, requests) }
    if stats { return try await count(requests, console) }
    if follow { return try await follow(requests, console) }
    let list = try await requests.requests(filter, slowest: slowest, limit: limit ?? 50)
    if source.collector.json {
      for request in list { console.out(json(request)) }
      return
    }
    guard !list.isEmpty else { return await tellNothing(console) }
    let marks = SearchMarks.of(filter.text, in: "requests")
    let lines = RequestTable.lines(list, console).map { console.style.marked($0, marks) }
    console.out(
      lines, matches: list.map { MatchLine.text($0.json, marks, console) }, links: link.isOn ? list.map(\.link) : nil)
  }

  private func json(_ request: RequestSummary) -> String {
    (link.isOn ? request.json.adding(viewerUrl: request.link) : request.json).line
  }

  private func tellNothing(_ console: Console) async {
    console.note("No request matches.")
    guard source.log == nil, let client = try? source.collector.client() else { return }
    if let doubt = await client.doubt(app: filter.app) { console.note(doubt) }
  }

  private func show(_ name: String, _ requests: any RequestSource, _ console: Console) async throws {
    let recorded = try await requests.exchange(name)
    if curl { return console.out(CurlExport.command(recorded.exchange)) }
    if fetch { return console.out(FetchExport.call(recorded.exchange)) }
    if let har {
      var writer = HARWriter(version: Collector.version)
      let file = try OutputFile(har)
      try file.write(writer.entry(for: recorded.exchange, frames: recorded.frames) + writer.end())
      return try file.finish(nil, "request", json: source.collector.json)
    }
    let link = link.isOn ? try source.collector.client().link(recorded.json) : nil
    if source.collector.json {
      return console.out((self.link.isOn ? recorded.json.adding(viewerUrl: link) : recorded.json).line)
    }
    if let link { console.out(console.style.dim(Printable.text(link))) }
    let text = AutoMobileHTTPExport.TextExport.text(recorded.exchange, isUnderWay: recorded.isUnderWay)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      console.out(Printable.text(String(line)))
    }
    for frame in recorded.frames {
      let after = Format.offset(milliseconds: frame.timestamp.subtractingClamped(recorded.exchange.startedAt))
      let content = frame.payload?.text ?? frame.payload.map { Format.bytes($0.size) } ?? ""
      console.out(
        Printable.text("\(after)  \(frame.direction == .sent ? "↑" : "↓") \(frame.kind.rawValue)  \(content)"))
    }
  }

  private func archive(_ path: String, _ requests: any RequestSource) async throws {
    let file = try OutputFile(path)
    let count = try await requests.archive(filter, limit: limit) { try file.write($0) }
    try file.finish(count, "request", json: source.collector.json)
  }

  private func count(_ requests: any RequestSource, _ console: Console) async throws {
    let endpoints = try await requests.endpoints(filter).prefix(limit ?? 200)
    if source.collector.json {
      for endpoint in endpoints { console.out(endpoint.json.line) }
      return
    }
    guard !endpoints.isEmpty else { return await tellNothing(console) }
    for line in RequestTable.lines(Array(endpoints), console) { console.out(line) }
  }

  private func empty(_ log: LogRequests, _ console: Console) throws {
    let count = try log.clear()
    if source.collector.json { return console.out((["cleared": JSON(count)] as JSON).line) }
    console.note("Cleared \(Format.plural(count, "request")). New requests are shown from now on.")
  }

  private func follow(_ requests: any RequestSource, _ console: Console) async throws {
    var left = limit ?? .max
    let marks = SearchMarks.of(filter.text, in: "requests")
    try await requests.follow(filter) { request in
      let line = { console.style.marked(RequestTable.line(request, console), marks) }
      console.out(source.collector.json ? json(request) : console.linked(line(), link.isOn ? request.link : nil))
      if !source.collector.json, let match = MatchLine.text(request.json, marks, console) { console.out(match) }
      left -= 1
      return left > 0
    }
  }
}

/// Where the requests are that a command is about.
struct RequestSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read an app’s log on the device instead of a collector: its directory.", valueName: "directory"))
  var log: String?

  @OptionGroup var collector: ConnectionOptions

  func open() throws -> any RequestSource {
    if let log { return try LogRequests(path: log) }
    return CollectorRequests(client: try collector.client())
  }
}
