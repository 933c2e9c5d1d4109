import ArgumentParser
import AutoMobileCollector

/// `automobile routes`: every door of the collector, and the key that it asks for.
struct RoutesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes", abstract: "List the collector's routes, and who may use each.",
    discussion: """
      Documentation/Collector.md explains the terms. On loopback, a collector that was started without keys requires \
      none. With --json, one route per line.
      """)

  @Flag(help: "One JSON object per line.")
  var json = false

  @Flag(help: "What each takes and answers, as OpenAPI 3.1: the same as GET /openapi.json.")
  var openapi = false

  func validate() throws {
    guard !json || !openapi else { throw ValidationError("give --json or --openapi, not both") }
  }

  func run() throws {
    let console = Console.standard
    if openapi { return console.out(try Collector.description()) }
    let routes = try Collector.routes()
    if json {
      for route in routes {
        let line = JSON.object([
          "method": .string(route.method), "path": .string(route.path), "access": .string(route.access.rawValue),
        ])
        console.out(line.line)
      }
      return
    }
    var table = Table(columns: [
      .init(title: "METHOD"), .init(title: "PATH", minimum: 20, paint: { $0.cyan($1) }), .init(title: "ACCESS"),
      .init(title: "REQUIRES", minimum: 10, rank: 1),
    ])
    table.rows = routes.map { [$0.method, $0.path, $0.access.rawValue, $0.access.description] }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}
