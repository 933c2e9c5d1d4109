import Foundation
import TestTools
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

@Suite struct MetricKitPayloadTests {
  private func only(_ data: Data) throws -> MetricKitDiagnostic {
    let diagnostics = try MetricKitPayload.diagnostics(in: data, now: 0)
    #expect(diagnostics.count == 1)
    return try #require(diagnostics.first)
  }

  @Test func `a crash becomes a report with its threads, the crashed one first and innermost first`() throws {
    let crash = try only(MetricKitFixtures.crash)
    #expect(crash.kind == .crash && crash.signal == 11 && crash.pid == 317)
    #expect(crash.type == "SIGSEGV" && crash.reason == "Namespace SIGNAL, Code 11 Segmentation fault: 11")
    #expect(crash.appVersion == "1.2" && crash.deviceType == "iPhone14,5")
    #expect(crash.begin == 1_749_560_400_000 && crash.end == 1_749_562_200_000)
    let report = crash.report
    #expect(report.kind == .metrickit && report.architecture == "arm64e" && report.os == "iOS")
    #expect(report.threads.map(\.crashed) == [true, false])
    let frames = try #require(report.threads.first).frames
    #expect(frames.map { $0.image.map { report.images[$0].name } } == ["Shop", "Shop", "UIKitCore", "dyld"])
    #expect(frames.map(\.offset?.rawValue) == [4660, 9000, 7, 5])
    let shop = try #require(report.images.first { $0.name == "Shop" })
    #expect(shop.uuid == "70b89f2716343580a69557cdb41d7743")
    #expect(shop.base.rawValue + 4660 == frames[0].address.rawValue)
    #expect(report.stackTrace.hasPrefix("0  Shop  0x"))
    #expect(report.notes.contains("Mach exception: EXC_BAD_ACCESS"))
  }

  @Test func `an exception is told by its name and reason`() throws {
    let crash = try only(MetricKitFixtures.exception)
    #expect(crash.type == "NSRangeException")
    #expect(crash.reason == #"*** index 5 beyond bounds "[0 .. 2]""#)
    #expect(crash.report.exception == .init(type: "NSRangeException", reason: crash.reason))
  }

  @Test func `a hang's tree becomes its different stacks, each innermost first and counted`() throws {
    let hang = try only(MetricKitFixtures.hang)
    #expect(hang.durationMs == 3200 && hang.report.durationMs == 3200)
    let samples = try #require(hang.report.samples)
    #expect(samples.map(\.count) == [7, 2, 1])
    #expect(samples.map { $0.frames.map(\.offset?.rawValue) } == [[100, 1], [300, 200, 1], [200, 1]])
    #expect(hang.report.threads.first?.frames.map(\.offset?.rawValue) == [100, 1])
    #expect(hang.report.threads.first?.crashed == false)
  }

  @Test func `processor and disk diagnostics are read with their amounts`() throws {
    let diagnostics = try MetricKitPayload.diagnostics(in: MetricKitFixtures.others, now: 0)
    #expect(diagnostics.map(\.kind) == [.cpu, .diskWrites])
    #expect(diagnostics.map(\.durationMs) == [20_000, nil])
    #expect(diagnostics.map(\.sampledMs) == [60_000, nil])
    #expect(diagnostics.map(\.bytes) == [nil, 2000])
  }

  @Test func `the same diagnostic has the same name, and another one another`() throws {
    let all = try [MetricKitFixtures.crash, MetricKitFixtures.exception, MetricKitFixtures.hang].map(only)
    #expect(try only(MetricKitFixtures.crash).report.reportId == all[0].report.reportId)
    #expect(Set(all.map(\.report.reportId)).count == 3)
  }

  @Test func `an address in place of an offset is taken for where the image is loaded`() throws {
    let base: UInt64 = 0x1_0500_0000
    let frame = #"{"binaryName":"Shop","address":\#(base + 77),"offsetIntoBinaryTextSegment":\#(base)}"#
    let tree =
      #"{"callStackPerThread":true,"callStacks":[{"threadAttributed":true,"callStackRootFrames":[\#(frame)]}]}"#
    let crash = try only(MetricKitFixtures.payload(#""crashDiagnostics":[{"callStackTree":\#(tree)}]"#))
    #expect(crash.report.images.first?.base.rawValue == base)
    #expect(crash.report.threads.first?.frames.first?.offset?.rawValue == 77)
  }

  @Test(arguments: [0, 1, 511, 4000]) func `a stack overflow is read to its limit, however deep it is nested`(
    depth: Int
  )
    throws
  {
    let frames = MetricKitFixtures.chain((0..<depth).map { ("Shop", UInt64($0)) })
    let tree =
      #"{"callStackPerThread":true,"callStacks":[{"threadAttributed":true,"callStackRootFrames":[\#(frames)]}]}"#
    let crash = try only(MetricKitFixtures.payload(#""crashDiagnostics":[{"callStackTree":\#(tree)}]"#))
    #expect(crash.report.principalThread?.frames.count ?? 0 == min(depth, MetricKitCallStacks.maximumFrames))
    #expect(crash.report.principalThread?.truncated ?? false == (depth > MetricKitCallStacks.maximumFrames))
  }

  @Test func `what is missing or of another type is left out`() throws {
    let oddities = [
      "{}", "[]", "7", "null", #"{"crashDiagnostics":7}"#, #"{"crashDiagnostics":[7,null,[],"a"]}"#,
      #"{"crashDiagnostics":[{"diagnosticMetaData":[],"callStackTree":{"callStacks":{"a":1}}}]}"#,
      #"{"hangDiagnostics":[{"diagnosticMetaData":{"hangDuration":7},"callStackTree":{"callStacks":[{"callStackRootFrames":[{"subFrames":[[],7]}]}]}}]}"#,
      #"{"crashDiagnostics":[{"diagnosticMetaData":{"signal":-1e300,"pid":1e99},"callStackTree":{"callStacks":[{"callStackRootFrames":[{"address":-1,"offsetIntoBinaryTextSegment":1e400,"sampleCount":-9223372036854775808,"binaryName":"x"}]}]}}]}"#,
    ]
    for json in oddities { _ = try MetricKitPayload.diagnostics(in: Data(json.utf8), now: 5) }
  }

  @Test func `a tree that grows without end is cut`() throws {
    let wide = Array(repeating: MetricKitFixtures.frame("Shop", 1, 1), count: 20_000).joined(separator: ",")
    let hang = try only(
      MetricKitFixtures.payload(
        #"""
        "hangDiagnostics":[{"callStackTree":{"callStackPerThread":false,"callStacks":[{"threadAttributed":true,
        "callStackRootFrames":[\#(MetricKitFixtures.frame("dyld", 1, 20_000, #","subFrames":[\#(wide)]"#))]}]}}]
        """#))
    #expect(hang.report.samples?.count == MetricKitCallStacks.maximumSamples)
  }
}

@Suite struct FlatJSONTests {
  @Test func `it takes nothing for JSON that Foundation does not`() {
    let texts = [
      "", " ", "{", "}", "[", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[1 2]", "\"a", "\"\\\"",
      "nul",
      "truefalse", "1.5.2", "[1]]", "[]", "{}", "[1,2,[3,{\"a\":[]}]]", " {\"a\" : \"b\\\"c\" , \"d\":-1.5e3} ",
      "[true,false,null]",
      "\"x\"", "-", "[\"\\u00e9\"]",
    ]
    for text in texts {
      let ours = (try? FlatJSON(Data(text.utf8))) != nil
      let theirs = (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
      #expect(!ours || theirs, "\(text)")
    }
  }

  @Test func `members, elements and values are found`() throws {
    let root = try FlatJSON(Data(#"{"a":[1,"zwei",{"b":true}],"ü":"\u00e9\n","n":18446744073709551615,"f":-2.5}"#.utf8))
      .root
    let a = try #require(root["a"])
    #expect(a.children.map(\.kind) == [.number, .string, .object])
    #expect(Array(a.children)[1].string == "zwei")
    #expect(Array(a.children)[2]["b"]?.bool == true)
    #expect(root["ü"]?.string == "é\n")
    #expect(root["n"]?.unsigned == .max)
    #expect(root["f"]?.integer == -2 && root["f"]?.unsigned == nil)
    #expect(root["missing"] == nil && a["x"] == nil)
  }

  @Test func `depth, size and number are bounded, and nothing recurses`() {
    func parse(_ text: String) -> String? {
      do {
        _ = try FlatJSON(Data(text.utf8))
        return nil
      } catch {
        return error.message
      }
    }
    #expect(parse(String(repeating: "[", count: 1 << 20))?.contains("nested") == true)
    #expect(parse("[" + String(repeating: "0,", count: 1 << 20) + "0]")?.contains("values") == true)
    #expect(parse("\"" + String(repeating: "a", count: FlatJSON.maximumSize) + "\"")?.contains("longer") == true)
    let depth = FlatJSON.maximumDepth
    #expect(parse(String(repeating: "[", count: depth) + String(repeating: "]", count: depth)) == nil)
  }

  @Test func `bytes at random never do harm`() {
    var random = SeededRandom(7)
    let alphabet = Array(#"{}[]",:0123456789.eE+-truefalsn\ "#.utf8)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      _ = try? MetricKitPayload.diagnostics(in: Data(bytes), now: 0)
      var damaged = MetricKitFixtures.hang
      damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      _ = try? MetricKitPayload.diagnostics(in: damaged, now: 0)
    }
  }
}
