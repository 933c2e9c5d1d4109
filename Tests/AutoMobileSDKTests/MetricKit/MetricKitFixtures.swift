import Foundation

/// Payloads in the form that Apple documents for `MXDiagnosticPayload.jsonRepresentation()`.
enum MetricKitFixtures {
  /// - Parameter frames: innermost first, as MetricKit nests them in a crash.
  static func chain(_ frames: [(binary: String, offset: UInt64)]) -> String {
    var json = ""
    for frame in frames.reversed() {
      let below = json.isEmpty ? "" : #","subFrames":[\#(json)]"#
      json = self.frame(frame.binary, frame.offset, 1, below)
    }
    return json
  }

  static func frame(_ binary: String, _ offset: UInt64, _ count: Int, _ rest: String = "") -> String {
    let base: UInt64 = 0x1_0000_0000 + UInt64(binary.utf8.count) << 28
    return """
      {"binaryName":"\(binary)","binaryUUID":"70B89F27-1634-3580-A695-57CDB41D7743","address":\(base + offset),\
      "offsetIntoBinaryTextSegment":\(offset),"sampleCount":\(count)\(rest)}
      """
  }

  static func payload(_ lists: String, begin: String = "2025-06-10 13:00:00", end: String = "2025-06-10 13:30:00")
    -> Data
  {
    Data(#"{"timeStampBegin":"\#(begin)","timeStampEnd":"\#(end)",\#(lists)}"#.utf8)
  }

  static let facts = #"""
    "appVersion":"1.2","appBuildVersion":"42","regionFormat":"DE","osVersion":"iPhone OS 17.1 (21B74)",
    "deviceType":"iPhone14,5","platformArchitecture":"arm64e","pid":317
    """#

  static let crash = payload(
    #"""
    "crashDiagnostics":[{"version":"1.0.0","diagnosticMetaData":{\#(facts),"exceptionType":1,"exceptionCode":0,"signal":11,
      "virtualMemoryRegionInfo":"0 is not in any region.  Bytes before following region: 4000000000",
      "terminationReason":"Namespace SIGNAL, Code 11 Segmentation fault: 11"},
     "callStackTree":{"callStackPerThread":true,"callStacks":[
       {"threadAttributed":false,"callStackRootFrames":[\#(chain([("libsystem_kernel.dylib", 16), ("libsystem_pthread.dylib", 99)]))]},
       {"threadAttributed":true,"callStackRootFrames":[\#(chain([("Shop", 4660), ("Shop", 9000), ("UIKitCore", 7), ("dyld", 5)]))]}]}}]
    """#)

  static let exception = payload(
    #"""
    "crashDiagnostics":[{"version":"1.0.0","diagnosticMetaData":{\#(facts),"exceptionType":10,"exceptionCode":0,"signal":6,
      "objectiveCexceptionReason":{"composedMessage":"*** index 5 beyond bounds \"[0 .. 2]\"","formatString":"%@","arguments":[],
        "exceptionType":"NSException","className":"NSException","exceptionName":"NSRangeException"}},
     "callStackTree":{"callStackPerThread":true,"callStacks":[
       {"threadAttributed":true,"callStackRootFrames":[\#(chain([("CoreFoundation", 1), ("Shop", 2)]))]}]}}]
    """#)

  /// A tree that begins in `dyld` and branches: `slow` was seen seven times, `draw` three times, of them once itself.
  static let hang = payload(
    #"""
    "hangDiagnostics":[{"version":"1.0.0","diagnosticMetaData":{\#(facts),"hangDuration":"3.2 sec"},
     "callStackTree":{"callStackPerThread":false,"callStacks":[{"threadAttributed":true,"callStackRootFrames":[
       \#(frame("dyld", 1, 10, #","subFrames":["# + frame("Shop", 100, 7) + "," + frame("Shop", 200, 3, #","subFrames":["# + frame("QuartzCore", 300, 2) + "]") + "]"))]}]}}]
    """#)

  static let others = payload(
    #"""
    "cpuExceptionDiagnostics":[{"version":"1.0.0","diagnosticMetaData":{\#(facts),"totalCPUTime":"20 sec","totalSampledTime":"1 min"},
      "callStackTree":{"callStackPerThread":false,"callStacks":[{"threadAttributed":true,"callStackRootFrames":[\#(frame("Shop", 1, 20))]}]}}],
    "diskWriteExceptionDiagnostics":[{"version":"1.0.0","diagnosticMetaData":{\#(facts),"writesCaused":"2,000 byte"},
      "callStackTree":{"callStackPerThread":false,"callStacks":[{"threadAttributed":true,"callStackRootFrames":[\#(frame("Shop", 2, 20))]}]}}]
    """#)
}
