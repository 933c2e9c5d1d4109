// A program with an SDK as an app has it, that delivers to a receiver over HTTP: what it does stands in its arguments.
//
//     delivery-victim ENDPOINT STEP…
//
// It keeps everything in the directory for caches, as documented. The steps, one after the other:
//
//     off             the app does not want the SDK (before it is initialized)
//     on              now it does
//     start           initializes
//     event NAME      records a custom event
//     return TIMES    the app comes to the foreground, so often
//     flush           asks for a delivery
//     wait SECONDS    does nothing
//     until FILE      does nothing before there is such a file
//     say             prints the diagnostics, as one line of JSON
//     end             shuts down, and waits for delivery
//
// Then it waits for whoever started it to kill it.

import AutoMobileCrashReporting
import AutoMobileSDK
import Foundation

@testable import AutoMobileRecorder

var arguments = CommandLine.arguments.dropFirst()
guard let endpoint = arguments.popFirst().flatMap(URL.init(string:)) else {
  FileHandle.standardError.write(Data("usage: delivery-victim ENDPOINT STEP…\n".utf8))
  exit(64)
}
var environment = SdkEnvironment.live()
// Nothing but what the tests count.
environment.takesIntegrations = false
environment.addLaunchHistory(makeProbe: nil)
environment.hasControlChannel = false
let sdk = AutoMobileSDK { [environment] in environment }

func wait(_ argument: String?) { usleep(useconds_t((argument.flatMap(Double.init) ?? 0) * 1_000_000)) }

while let step = arguments.popFirst() {
  switch step {
  case "off": sdk.setEnabled(false)
  case "on": sdk.setEnabled(true)
  case "start":
    sdk.initialize(bundleId: "com.example.delivery", configuration: AutoMobileConfiguration(endpoint: endpoint))
  case "event": sdk.trackEvent(name: arguments.popFirst() ?? "event")
  case "return":
    for _ in 0..<(arguments.popFirst().flatMap(Int.init) ?? 1) {
      // What the observer of the application does where there is one.
      sdk.runtime?.sessions.onForeground()
      sdk.runtime?.delivery?.retryNow()
      wait("0.1")
    }
  case "flush": sdk.flush()
  case "wait": wait(arguments.popFirst())
  case "until":
    let file = arguments.popFirst() ?? ""
    while access(file, F_OK) != 0 { wait("0.01") }
  case "say":
    let line = try JSONEncoder().encode(sdk.diagnostics) + Data("\n".utf8)
    FileHandle.standardOutput.write(line)
  case "end":
    let done = DispatchSemaphore(value: 0)
    // Not on the main actor, whose thread waits.
    Task.detached {
      await sdk.shutdownAndDeliver()
      done.signal()
    }
    done.wait()
    exit(0)
  default: exit(64)
  }
}
// Nobody is left to kill this program when its test has been killed.
let parent = getppid()
while getppid() == parent { sleep(1) }
