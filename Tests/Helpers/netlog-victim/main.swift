// A program that writes a network log until somebody kills it. The tests start it, and read along.
//
//     netlog-victim DIRECTORY WITNESS OWNER [BUDGET [WAY]]
//
// Its exchanges are numbered. After each record whose call returned true, the count goes into the file WITNESS. The
// budget is in bytes.
//
// With the WAY `begin`, each request begins first, and every seventh of them never ends. With a URL it asks there, as an app
// with the logger does, and waits for the answer.

import AutoMobileHTTP
import AutoMobileNetworkLog
import AutoMobileNetworkLogger
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
let directory = NetworkLogDirectory(URL(fileURLWithPath: arguments[1]))
let way = arguments.count > 5 ? arguments[5] : ""
if let url = URL(string: way), url.scheme == "http" {
  var configuration = NetworkLoggerConfiguration(directory)
  (configuration.isProduction, configuration.isAutomation) = (false, false)
  configuration.options = options
  AutoMobileNetworkLogger.shared.start(configuration)
  let sessionConfiguration = URLSessionConfiguration.ephemeral
  AutoMobileNetworkLogger.shared.register(in: sessionConfiguration)
  var request = URLRequest(url: url)
  request.setValue("Bearer planted-header", forHTTPHeaderField: "Authorization")
  let task = URLSession(configuration: sessionConfiguration).dataTask(with: request) { _, _, _ in exit(70) }
  task.resume()
  let parent = getppid()
  while getppid() == parent { usleep(10_000) }
  exit(0)
}
let writer = try NetworkLogWriter(directory, owner: owner, options: options)
// Readers of a debug build have to keep up, and sanitizers make them slow.
let pause: UInt32 = ProcessInfo.processInfo.environment["AUTOMOBILE_SANITIZED"] == nil ? 1000 : 50_000
let parent = getppid()
var count: UInt64 = 0
// Nobody is left to kill this program when its test has been killed.
while getppid() == parent {
  // A reader that has no processor for a while must come to an end all the same.
  guard count < 20_000 else {
    usleep(10_000)
    continue
  }
  var exchange = HTTPExchange(
    id: "\(owner):\(count)", startedAt: 1_700_000_000_000 + Int64(count / 3), method: "GET",
    url: "https://\(owner).example/\(count)")
  if way == "begin" {
    let isThere = writer.begin(exchange)
    if count % 7 == 6 {
      guard isThere else { continue }
      count += 1
      guard withUnsafeBytes(of: count, { pwrite(witness, $0.baseAddress, 8, 0) }) == 8 else { exit(74) }
      continue
    }
  }
  exchange.statusCode = count % 10 == 0 ? 500 : 200
  exchange.responseBody = HTTPBody(bytes: Data(String(repeating: "x", count: Int(count % 700)).utf8), size: 700)
  if writer.record(exchange) {
    count += 1
    guard withUnsafeBytes(of: count, { pwrite(witness, $0.baseAddress, 8, 0) }) == 8 else { exit(74) }
  }
  if count % 8 == 0 { usleep(pause) }
}
