import Foundation
import Testing

@testable import automobile

@Suite struct `Settings of the configuration file` {
  /// What the help lists: `--full-text/--no-full-text`, `--port <port>`.
  private static func options() async throws -> Set<String> {
    let help = try await Tool.run("serve", "--help").output
    let first = help.split(separator: "\n").filter { $0.hasPrefix("  --") }.flatMap { line in
      line.dropFirst(2).prefix { $0 != " " }.split(separator: "/").map { String($0.dropFirst(2)) }
    }
    return Set(first)
  }

  @Test func `each option of the help can stand in it, but for those that are about it`() async throws {
    let options = try await Self.options()
    #expect(options.count > 30)
    let switches = Set(ServeSetting.all.filter(\.hasOpposite).map { "no-" + $0.name })
    #expect(switches == ["no-full-text", "no-sign-in-link"])
    let known = Set(ServeSetting.all.map(\.name))
    #expect(known.count == ServeSetting.all.count)
    #expect(options.subtracting(switches).subtracting(["config", "check-config", "version"]) == known)
  }

  @Test func `flags and options with several values are known as such`() {
    #expect(
      Set(ServeSetting.all.filter(\.isFlag).map(\.name)) == ["full-text", "sign-in-link", "mcp-commands", "json"])
    let several = Set(ServeSetting.all.filter(\.isRepeatable).map(\.name))
    #expect(
      several == [
        "ingest-key-file", "operator-key-file", "key", "operator-key", "allow-host", "trusted-proxy", "resend-to",
        "allow-egress", "egress-ca", "oidc-grant",
      ])
    #expect(Set(ServeSetting.all.filter(\.isSecret).map(\.name)) == ["key", "operator-key"])
  }

  @Test func `each becomes a word that the command takes as it stands`() throws {
    let text = """
      port = 0
      data = --not-an-option=1
      key-bytes = 1e6
      allow-host = -a
      allow-host = b
      full-text = false
      sign-in-link = false
      mcp-commands = true
      json = false
      log-level = debug
      """
    let (lines, problems) = ServeFile.parse(Data(text.utf8))
    #expect(problems.isEmpty)
    let options = try ServeOptions.parse(lines.compactMap(\.word))
    #expect(options.port == 0 && options.data == "--not-an-option=1" && options.rates.keyBytes == 1e6)
    #expect(options.allowedHosts == ["-a", "b"] && options.logLevel == .debug)
    #expect(!options.fullText && options.signInLink == false && options.agentCommands && !options.json)
  }
}
