// The figures, each beside its baseline in the same run. An argument selects the groups whose name contains it.
//
//     benchmarks [GROUP]
import Foundation

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--initialize", arguments.count == 3 {
  initializeAndReport(directory: CommandLine.arguments[2], bytes: Int(CommandLine.arguments[3]) ?? 0)
  exit(0)
}

let groups: [(name: String, run: (Report) -> Void)] = [
  ("journal", benchmarkJournal),
  ("record", benchmarkRecording),
  ("initialize", benchmarkInitialize),
]
let wanted = arguments.first ?? ""
for group in groups where group.name.contains(wanted) || wanted.isEmpty { group.run(Report()) }
