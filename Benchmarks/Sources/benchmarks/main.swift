// The figures, each beside its baseline in the same run. An argument selects one group.
//
//     benchmarks [journal | record | spans | threads | initialize | hangs | crash | network | exchange | netlog | viewbodies
//                 | subsystems | upload-rules | summary | upload-fleet [--sessions N]] [--short]
//
// A figure whose work did not do what it says ends the program with an error. `--short` takes few samples, to see just that.
import Foundation

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--initialize", arguments.count >= 3 {
  let rest = Array(arguments.dropFirst())
  initializeAndReport(
    directory: rest[0], bytes: Int(rest[1]) ?? 0, isWarm: rest.count > 2 && rest[2] == "warm",
    endpoint: rest.count > 3 ? URL(string: rest[3]) : nil)
  exit(0)
}

if arguments.first == "--idle", arguments.count >= 2 {
  idleAndReport(watching: arguments.dropFirst().first == "watching")
  exit(0)
}
if arguments.first == "--crash" { crashAndLeaveTime(Array(arguments)) }
if arguments.first == "--install" { installAndLeaveTime(Array(arguments)) }

if arguments.first == "--serve" { LoopbackServer.serve() }
if arguments.first == "--network-memory" { measureNetworkMemory(Array(arguments)) }

if arguments.first == RecordingWithRules.argument { RecordingWithRules.serve(Array(arguments)) }
if arguments.first == LookingAtEvents.fillArgument { LookingAtEvents.fill(Array(arguments)) }
if arguments.first == LookingAtEvents.lookArgument { LookingAtEvents.look(Array(arguments)) }
if arguments.first == SummaryProcess.argument { SummaryProcess.tell(Array(arguments)) }
if arguments.first == FleetProcess.argument { FleetProcess.run(Array(arguments)) }

let groups: [(name: String, run: (Report) -> Void)] = [
  ("journal", benchmarkJournal),
  ("record", benchmarkRecording),
  ("spans", benchmarkSpans),
  ("threads", benchmarkThreads),
  ("initialize", benchmarkInitialize),
  ("hangs", benchmarkHangs),
  ("crash", benchmarkCrashes),
  ("network", benchmarkNetwork),
  ("exchange", benchmarkExchanges),
  ("netlog", benchmarkNetworkLog),
  ("viewbodies", benchmarkViewBodies),
  ("subsystems", benchmarkSubsystems),
  ("upload-rules", benchmarkUploadRules),
  ("summary", benchmarkSummaries),
  ("upload-fleet", benchmarkUploadFleet),
]

if let wanted = arguments.first(where: { $0 != "--short" }) {
  guard let group = groups.first(where: { $0.name == wanted }) else {
    FileHandle.standardError.write(
      Data("no group \(wanted): choose \(groups.map(\.name).joined(separator: ", "))\n".utf8))
    exit(2)
  }
  let report = Report()
  group.run(report)
  report.finish()
} else {
  // A process for each: the SDK is initialized once in a process, and one group's leftovers are no other's business.
  for group in groups {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [group.name] + (Measurement.isShort ? ["--short"] : [])
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { exit(process.terminationStatus) }
  }
}
