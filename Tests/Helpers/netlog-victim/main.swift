// A program that writes a network log until somebody kills it. The tests start it, and read along.
//
//     netlog-victim DIRECTORY WITNESS OWNER [BUDGET]
//
// Its exchanges are numbered. After each record whose call returned true, the count goes into the file WITNESS. The
// budget is in bytes.

import AutoMobileHTTP
import AutoMobileNetworkLog
import Foundation

let arguments = CommandLine.arguments
guard arguments.count >= 4 else {
  print("usage: netlog-victim DIRECTORY WITNESS OWNER [BUDGET]")
  exit(64)
}
let owner = arguments[3]
var options = NetworkLogOptions()
options.freeDiskFloor = 0
options.segmentSize = 64 << 10
if arguments.count > 4, let budget = Int(arguments[4]) { options.budget = budget }

let witness = open(arguments[2], O_WRONLY)
guard witness >= 0 else { exit(66) }
let writer = try NetworkLogWriter(
  NetworkLogDirectory(URL(fileURLWithPath: arguments[1])), owner: owner, options: options)
let parent = getppid()
var count: UInt64 = 0
// Nobody is left to kill this program when its test has been killed.
while getppid() == parent {
  var exchange = HTTPExchange(
    id: "\(owner):\(count)", startedAt: 1_700_000_000_000 + Int64(count / 3), method: "GET",
    url: "https://\(owner).example/\(count)")
  exchange.statusCode = count % 10 == 0 ? 500 : 200
  exchange.responseBody = HTTPBody(bytes: Data(String(repeating: "x", count: Int(count % 700)).utf8), size: 700)
  if writer.record(exchange) {
    count += 1
    guard withUnsafeBytes(of: count, { pwrite(witness, $0.baseAddress, 8, 0) }) == 8 else { exit(74) }
  }
  // Readers of a debug build have to keep up.
  if count % 8 == 0 { usleep(1000) }
}
