import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A22: a test of the user interface, which is another process, decides through the collector.
@Suite struct BiometricCommandsTests {
  private let biometrics = AutoMobileBiometrics(isDebugBuild: true)

  /// Gives commands, one after the other; what was answered to each: "ok", or what was wrong with it.
  private func answers(
    _ commands: [(name: String, arguments: String)], access: RemoteCommandAccess = .all
  ) async throws -> [String] {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try #require(bench.channel(to: collector.url, commands: access))
    BiometricCommands(biometrics: biometrics).register(in: channel)
    channel.start()
    defer { channel.stop() }
    var answers: [String] = []
    for (number, command) in commands.enumerated() {
      let id = "c\(number)"
      collector.command(id, command.name, command.arguments)
      #expect(await eventually(bench.clock) { collector.result(of: id) != nil })
      let answer = try #require(collector.result(of: id))
      let error = answer["error"] as? [String: Any]
      answers.append(answer["ok"] as? Bool == true ? "ok" : error?["message"] as? String ?? "")
    }
    return answers
  }

  @Test(
    arguments: [
      (#"{"result":"success"}"#, .success), (#"{"result":"failure","ttlMs":60000}"#, .failure),
      (#"{"result":"cancel"}"#, .cancel),
      (#"{"result":"error","code":-8,"message":"locked 🔒","ttlMs":3600000}"#, .error(code: -8, message: "locked 🔒")),
    ] as [(String, BiometricResult)])
  func `A22 a collector's command sets how the next authentication ends`(
    arguments: String, result: BiometricResult
  ) async throws {
    #expect(try await answers([("biometrics.override", arguments)]) == ["ok"])
    #expect(biometrics.consumeOverride() == result)
  }

  @Test func `A22 what is not a result is refused, and clear forgets`() async throws {
    let answers = try await answers([
      ("biometrics.override", #"{"result":"perhaps"}"#), ("biometrics.override", "{}"),
      ("biometrics.override", #"{"result":"error","code":1e300}"#),
      ("biometrics.override", #"{"result":"success","ttlMs":-1}"#), ("biometrics.override", #"{"result":"success"}"#),
      ("biometrics.clear", "{}"),
    ])
    #expect(answers.map { $0 == "ok" } == [false, false, false, false, true, true])
    #expect(!biometrics.hasOverride)
  }

  @Test func `A22 where only looking is allowed, or overriding is not, nothing is set`() async throws {
    let command = (name: "biometrics.override", arguments: #"{"result":"success"}"#)
    #expect(try await answers([command], access: .readOnly) != ["ok"])
    biometrics.isAllowed = false
    #expect(try await answers([command]).first?.contains("isAllowed") == true)
    #expect(!biometrics.hasOverride)
  }
}
