// A program that records until somebody kills it. The tests of the journal start it, and look at what is left.
//
//     journal-victim record DIRECTORY WITNESS THREADS [STAGE COUNT]
//     journal-victim relay DIRECTORY RECEIVER
//     journal-victim keep DIRECTORY RECEIVER
//     journal-victim fork DIRECTORY -
//     journal-victim sleep DIRECTORY -
//
// `record` appends from several threads; with a stage (1 reserved, 2 claimed, 3 copied, 4 published) it kills itself at
// the COUNTth time that an append comes there. `relay` records too, and delivers what it finds to the file RECEIVER;
// `keep` does so with a part of it, out of order.
// `fork` ends with 0 when its child could record only into a journal of its own, `sleep` when a thread that fell asleep
// in the middle of an append lost nothing and disturbed nobody.

import AutoMobileJournal
import CAutoMobile
import Foundation

let arguments = CommandLine.arguments
guard arguments.count >= 4 else {
  print("usage: journal-victim record|relay|keep DIRECTORY FILE [THREADS [STAGE COUNT]]")
  exit(64)
}

var options = JournalOptions(directory: URL(fileURLWithPath: arguments[2]), owner: "victim")
options.segmentSize = 64 * 1024
options.freeDiskFloor = 0

switch arguments[1] {
case "record":
  options.budget = 64 << 20
  let threads = arguments.count > 4 ? Int(arguments[4]) ?? 4 : 4
  let stage = arguments.count > 6 ? (Int32(arguments[5]) ?? 0, UInt64(arguments[6]) ?? 1) : nil
  record(try Journal(options), witness: arguments[3], threads: threads, killedAt: stage)
case "relay":
  // Little room, so that segments are evicted as well.
  options.budget = 512 * 1024
  relay(try Journal(options), receiver: arguments[3])
case "keep":
  options.budget = 512 * 1024
  keep(try Journal(options), receiver: arguments[3])
case "fork":
  recordAcrossFork(try Journal(options))
case "sleep":
  options.segmentSize = 16 * 1024
  recordAsleep(try Journal(options))
default:
  exit(64)
}
