import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Changing issues from the command line` {
  private static func failure(_ message: String, at timestamp: Int64) -> JSON {
    Served.event(
      "handled_exception",
      [
        "errorDomain": "Shop.Failure", "customMessage": .string(message), "stackTrace": "",
        "bundleId": "com.example.cli",
      ],
      at: timestamp)
  }

  /// Two issues, by their titles.
  private static func with(_ body: (Served, _ ids: [String: String]) async throws -> Void) async throws {
    try await Served.with { served in
      let start: Int64 = 1_790_000_000_000
      try await served.deliver([
        failure("The payment failed", at: start), failure("No points were added", at: start + 1000),
        failure("No points were added", at: start + 2000),
      ])
      try await body(served, try await list(served).mapValues { $0["id"]?.string ?? "" })
    }
  }

  private static func list(_ served: Served, _ more: String...) async throws -> [String: JSON] {
    let listed = try await Tool.run(["issues", "--json", "--url", served.url] + more)
    let issues = try listed.lines.map { try JSON(text: String($0)) }
    return Dictionary(issues.map { ($0["title"]?.string ?? "", $0) }) { first, _ in first }
  }

  /// Changes an issue, and returns what the tool prints of it then.
  private static func change(_ served: Served, _ issue: String, _ arguments: String...) async throws -> String {
    let done = try await Tool.run(["issues", issue] + arguments + ["--url", served.url])
    #expect(done.code == 0, "\(arguments): \(done.errors)")
    return done.output
  }

  @Test func `somebody takes care of one, says something about it, and lets it go`() async throws {
    try await Self.with { served, ids in
      let id = try #require(ids["The payment failed"])
      // The beginning of its id is enough.
      let assigned = try await Self.change(
        served, String(id.prefix(8)), "--assign", "lea", "--comment", "Fixed on the branch payment")
      #expect(assigned.contains("assignee  lea") && assigned.contains("assigned it to lea"), "\(assigned)")
      #expect(assigned.contains("commented: Fixed on the branch payment"))
      #expect(Array(try await Self.list(served, "--assignee", "lea").keys) == ["The payment failed"])
      let released = try await Self.change(served, id, "--unassign")
      #expect(!released.contains("assignee") && released.contains("unassigned it"), "\(released)")
      #expect(try await Self.list(served, "--assignee", "lea").isEmpty)
      for wrong in [["--assign", "lea"], [id, "--assign", "lea", "--unassign"], ["--comment", "x"]] {
        #expect(try await Tool.run(["issues", "--url", served.url] + wrong).code == 2, "\(wrong)")
      }
    }
  }

  @Test func `a decision is undone`() async throws {
    try await Self.with { served, ids in
      let id = try #require(ids["The payment failed"])
      _ = try await Self.change(served, id, "--resolve", "--in", "4.0")
      #expect(Array(try await Self.list(served).keys) == ["No points were added"])
      let undone = try await Self.change(served, id, "--undo")
      #expect(undone.contains("undid resolving it") && !undone.contains("resolved in"), "\(undone)")
      #expect(try await Self.list(served).count == 2)
      // There is nothing more to take back.
      let again = try await Tool.run("issues", id, "--undo", "--url", served.url)
      #expect(again.code == 1 && !again.errors.isEmpty, "\(again.output)\(again.errors)")
    }
  }

  @Test func `issues are merged into one, and taken apart again`() async throws {
    try await Self.with { served, ids in
      let (payment, points) = (try #require(ids["The payment failed"]), try #require(ids["No points were added"]))
      let merged = try await Self.change(served, payment, "--merge", String(points.prefix(8)))
      #expect(
        merged.contains("3 reports")
          && merged.contains("merged    \(points.prefix(8)) No points were added (2 reports)"))
      #expect(merged.contains("merged “No points were added” into it"), "\(merged)")
      #expect(try await Self.list(served).mapValues { $0["count"]?.int } == ["The payment failed": 3])
      let stranger = try await Tool.run("issues", payment, "--unmerge", "ffff", "--url", served.url)
      #expect(stranger.code == 1 && stranger.errors.contains("is not merged into this issue"))
      let apart = try await Self.change(served, payment, "--unmerge", String(points.prefix(8)))
      #expect(apart.contains("unmerged “No points were added”"), "\(apart)")
      #expect(
        try await Self.list(served).mapValues { $0["count"]?.int } == [
          "The payment failed": 1, "No points were added": 2,
        ])
    }
  }
}
