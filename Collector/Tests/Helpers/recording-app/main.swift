// An app with the real SDK that does what it is told, line by line:
//
//   record N   records N events
//   status     prints the diagnostics as a line of JSON
//   get URL    asks for it in a session that is recorded, and prints the answer as a line of JSON
//
// Started as: recording-app ENDPOINT DIRECTORY none|all
import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let arguments = CommandLine.arguments
guard arguments.count == 4, let endpoint = URL(string: arguments[1]) else { exit(64) }
let sdk = AutoMobileSDK.shared
sdk.initialize(
  bundleId: "com.example.recording",
  configuration: AutoMobileConfiguration(
    endpoint: endpoint, apiKey: "app-key-1", flushIntervalMs: 20,
    storage: .directory(URL(fileURLWithPath: arguments[2], isDirectory: true)),
    remoteCommands: RemoteCommandAccess(rawValue: arguments[3]) ?? .none))

let network = URLSessionConfiguration.ephemeral
AutoMobileNetwork.shared.register(in: network)
let session = URLSession(configuration: network)

struct Answer: Codable {
  var status: Int?
  var body: String?
  var error: Int?
}

func get(_ url: URL) async -> Answer {
  do {
    let (body, response) = try await session.data(from: url)
    return Answer(status: (response as? HTTPURLResponse)?.statusCode, body: String(decoding: body, as: UTF8.self))
  } catch {
    return Answer(error: (error as NSError).code)
  }
}

func say(_ value: some Encodable) {
  let json = (try? JSONEncoder().encode(value)) ?? Data("{}".utf8)
  FileHandle.standardOutput.write(json + Data("\n".utf8))
}

while let line = readLine() {
  let words = line.split(separator: " ")
  switch words.first {
  case "record":
    for n in 0..<(Int(words.last ?? "") ?? 1) { sdk.trackEvent(name: "event", properties: ["n": String(n)]) }
  case "status": say(sdk.diagnostics)
  case "get":
    if let url = URL(string: String(words.last ?? "")) { say(await get(url)) }
  default: break
  }
}
