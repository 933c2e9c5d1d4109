import ArgumentParser
import AutoMobileCollector

/// `automobile routes`: every door of the collector, and the key that it asks for.
struct RoutesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes", abstract: "List the collector's routes, with who may use each.",
    discussion: """
      The words are explained in Documentation/Collector.md. On loopback, a collector that was started without keys asks \
      for none. With --json, one route a line.
      """)

  @Flag(help: "One JSON object a line.")
  var json = false

  func run() throws {
    let console = Console.standard
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
      .init(title: "ASKS FOR", minimum: 10, rank: 1),
    ])
    table.rows = routes.map { [$0.method, $0.path, $0.access.rawValue, $0.access.description] }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}
