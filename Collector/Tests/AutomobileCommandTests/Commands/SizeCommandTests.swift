import Testing

@testable import automobile

@Suite struct `The calculator` {
  @Test func `one collector is told how large its index is, and that it is too small for very many phones`()
    async throws
  {
    let told = try JSON(text: try await Tool.run("size", "--devices", "100000000", "--json").output)
    #expect(
      told["verdict"] == "too_much" && told["diskBytes"]?.int ?? 0 > 1_000_000_000 && told["indexLoad"] != nil,
      "\(told)")
    #expect(told["clickhouseBytes"] == nil)
    let small = try JSON(text: try await Tool.run("size", "--devices", "10", "--json").output)
    #expect(small["verdict"] == "fits")
  }

  @Test func `a cluster is told of its shards, of no index, and where nobody has measured`() async throws {
    let arguments = ["size", "--devices", "1000000", "--clickhouse"]
    let told = try JSON(text: try await Tool.run(arguments + ["--json"]).output)
    #expect(told["clickhouseBytes"] != nil && told["clickhouseCores"] != nil && told["collectorCores"] != nil)
    for member in ["diskBytes", "indexBytes", "indexLoad"] { #expect(told[member] == nil, "\(member)") }
    #expect(told["verdict"] == "beyond_measured")
    let text = try await Tool.run(arguments).output
    #expect(text.contains("Nobody has measured") && text.contains("all shards after"))
    let few = try await Tool.run("size", "--devices", "10", "--clickhouse").output
    #expect(!few.contains("Nobody has measured") && few.contains("all shards after"))
  }
}
