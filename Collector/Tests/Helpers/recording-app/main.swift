// An app with the real SDK that does what it is told, line by line:
//
//   record N   records N events
//   status     prints the diagnostics as a line of JSON
//
// Started as: recording-app ENDPOINT DIRECTORY none|all
import AutoMobileSDK
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4, let endpoint = URL(string: arguments[1]) else { exit(64) }
let sdk = AutoMobileSDK.shared
sdk.initialize(
  bundleId: "com.example.recording",
  configuration: AutoMobileConfiguration(
    endpoint: endpoint, apiKey: "app-key-1", flushIntervalMs: 20,
    storage: .directory(URL(fileURLWithPath: arguments[2], isDirectory: true)),
    remoteCommands: RemoteCommandAccess(rawValue: arguments[3]) ?? .none))

while let line = readLine() {
  let words = line.split(separator: " ")
  switch words.first {
  case "record":
    for n in 0..<(Int(words.last ?? "") ?? 1) { sdk.trackEvent(name: "event", properties: ["n": String(n)]) }
  case "status":
    let json = (try? JSONEncoder().encode(sdk.diagnostics)) ?? Data("{}".utf8)
    FileHandle.standardOutput.write(json + Data("\n".utf8))
  default: break
  }
}
