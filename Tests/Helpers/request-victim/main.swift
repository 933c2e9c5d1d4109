// A program that is made to be killed in the middle of requests: two that never end, and four threads that make one after
// the other, and keep, in memory that they share with whoever started it, how many of theirs have come back.
//
//     request-victim DIRECTORY WITNESS SERVER
//
// DIRECTORY is where it records; WITNESS is a file of 64 bytes for the counts, the fifth says that all is under way; SERVER
// is the URL of Tests/Helpers/http-server.

import AutoMobileCrashReporting
import CAutoMobile
import Foundation

@testable import AutoMobileRecorder
@testable import AutoMobileRequests
@testable import AutoMobileSDK

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

guard CommandLine.arguments.count == 4 else {
  FileHandle.standardError.write(Data("usage: request-victim DIRECTORY WITNESS SERVER\n".utf8))
  exit(64)
}

let file = open(CommandLine.arguments[2], O_RDWR)
guard let mapping = mmap(nil, 64, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), mapping != MAP_FAILED else {
  exit(74)
}
nonisolated(unsafe) let witness = mapping.bindMemory(to: UInt64.self, capacity: 8)
let server = CommandLine.arguments[3]

var environment = SdkEnvironment.live()
environment.defaultEndpoint = nil
environment.takesIntegrations = false
environment.subsystems = [.network(.shared)]
// It is killed all the time, also while it starts.
environment.guardsAgainstCrashLoops = false
environment.addLaunchHistory(makeProbe: nil)
let sdk = AutoMobileSDK { [environment] in environment }
let directory = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
sdk.initialize(bundleId: "com.example.victim", configuration: AutoMobileConfiguration(storage: .directory(directory)))

let intercepted = URLSessionConfiguration.ephemeral
intercepted.httpMaximumConnectionsPerHost = 16
AutoMobileNetwork.shared.register(in: intercepted)
let session = URLSession(configuration: intercepted)

@Sendable func load(_ path: String, then: @escaping @Sendable () -> Void) {
  guard let url = URL(string: server + path) else { exit(65) }
  session.dataTask(with: url) { _, _, _ in then() }.resume()
}

for path in ["/slow/600?token=planted-secret", "/stall"] { load(path) { exit(66) } }
for thread in 0..<4 {
  Thread.detachNewThread {
    let back = DispatchSemaphore(value: 0)
    var n = 0
    while true {
      load("/echo?thread=\(thread)&n=\(n)") { back.signal() }
      back.wait()
      n += 1
      am_store_release_u64(witness + thread, UInt64(n))
      if n == 3 { am_store_release_u64(witness + 4, 1) }
    }
  }
}
while true { sleep(1000) }
