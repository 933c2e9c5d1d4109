import ArgumentParser
import AutoMobileCollector
import Foundation

/// What `automobile store` does with a state.
extension StoreOptions {
  /// Moves the state of the directory to PostgreSQL, compares it, and has the directory know where it is.
  ///
  /// - Parameter beside: telemetry is moved as well. Then what followers have come to counts for nothing there, and a state that the
  ///   collectors at the new place have is left as it is.
  func moveState(to text: String, beside telemetry: Bool) async throws {
    umask(0o077)
    let place = try Self.statePlace(text)
    let url = (data.map { URL(filePath: $0) } ?? DataDirectory.standard).absoluteURL
    let console = Console.standard
    let outcome = try await Self.explained {
      try await Self.onThread { () throws -> StateMove.Outcome? in
        let move = try StateMove(data: url, to: place, place: telemetry ? 0 : nil)
        defer { move.close() }
        if telemetry, try !move.others().isEmpty { return nil }
        let outcome = try move.move()
        // Compares first, and takes nothing out when something differs.
        try move.settle()
        return outcome
      }
    }
    switch outcome {
    case nil:
      console.note(
        "\(Printable.text(text)) has a state of its own: projects, keys and decisions of this directory are not moved."
      )
    case .wasMoved?:
      if !json || !telemetry { say(rows: 0, [], isNew: false) }
    case .moved(let rows, let replaced)?:
      say(rows: rows, replaced, isNew: true)
    }
  }

  private func say(rows: Int, _ replaced: [String], isNew: Bool) {
    let console = Console.standard
    if json {
      let line: JSON = ["state": JSON(rows), "replaced": .array(replaced.map { .string($0) })]
      return console.out(line.line)
    }
    guard isNew else { return console.out("the state was moved before, and is the same") }
    console.out("moved \(Format.count(rows)) rows of the state, and compared them")
    for place in replaced {
      console.note("\(Printable.text(place)): U+FFFD stands for what PostgreSQL does not keep in a text")
    }
    console.note("Start the collector with --state from now on.")
  }
}
