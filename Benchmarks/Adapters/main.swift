// The adapters' figures, against the stand-ins: make bench-adapters. On a phone UIKit's own part comes on top.
import AutoMobileSDK
import Foundation
import UIKit

@testable import AutoMobileCrashReporting
@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// An initialized SDK in a directory that is gone afterwards.
@MainActor func withSdk(_ body: (AutoMobileSDK) -> Void) {
  withScratchDirectory { directory in
    let sdk = AutoMobileSDK.shared
    sdk.initialize(
      bundleId: "com.example.bench",
      configuration: AutoMobileConfiguration(
        flushIntervalMs: 3_600_000, storage: .directory(directory), subsystems: .all))
    body(sdk)
    sdk.reset()
  }
}

/// 500 views, ten levels deep, and a button in the innermost.
@MainActor func tree() -> (window: UIWindow, button: UIButton) {
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  var parent: UIView = window
  for _ in 0..<10 {
    for index in 0..<48 {
      parent.addSubview(UIView(frame: CGRect(x: Double(index) * 8, y: 800, width: 8, height: 8)))
    }
    let next = UIView(frame: window.bounds)
    parent.addSubview(next)
    parent = next
  }
  let button = UIButton(frame: CGRect(x: 100, y: 100, width: 100, height: 44))
  button.setTitle("Order", for: .normal)
  button.accessibilityIdentifier = "order"
  parent.addSubview(button)
  return (window, button)
}

@MainActor func measureTaps(_ report: Report) {
  report.heading("A tap in a tree of 500 views, on the main thread")
  withSdk { sdk in
    // The windows are observed from the next turn of the main queue on.
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.2))
    let (window, button) = tree()
    let place = CGPoint(x: 150, y: 120)
    var time = 1_000_000.0
    let hitTest = Measurement(samples: 200, operations: 20) { count in
      for _ in 0..<count { _ = window.hitTest(place, with: nil) }
    }
    report.time("the hit test alone, of the stand-in", hitTest, unit: .µs)
    let recorded = sdk.diagnostics.recorded
    let automatic = Measurement(samples: 200, operations: 20) { count in
      for _ in 0..<count {
        time += 2
        window.simulateTap(at: place, time: time)
      }
    }
    report.time("through the window, with gesture, hit test and event", automatic, unit: .µs, target: 200_000)
    let events = Int(clamping: sdk.diagnostics.recorded &- recorded)
    report.expect("taps that were recorded", events, in: automatic.operations...2 * automatic.operations)
    let bare = Measurement(samples: 200, operations: 20) { count in
      for _ in 0..<count {
        AutoMobileInteractionTracker.shared.recordTap(
          at: ScreenPoint(place), TapTarget(button), time: Int64(time * 1000))
        time += 2
      }
    }
    report.time("what is told of the view that was hit, and the event", bare, unit: .µs)
  }
}

@MainActor func measureStarts(_ report: Report) {
  report.heading("The start of each part, on the calling thread")
  var samples: [UInt32: [Double]] = [:]
  let rounds = Measurement.count(30)
  for _ in 0..<rounds {
    withSdk { sdk in
      guard let runtime = sdk.runtime else { return }
      for subsystem in runtime.subsystems where !subsystem.name.isEmpty {
        subsystem.reset()
        let start = DispatchTime.now().uptimeNanoseconds
        subsystem.start(runtime.subsystemHost)
        subsystem.setEnabled(true, runtime.subsystemHost)
        samples[subsystem.name.rawValue, default: []].append(Double(DispatchTime.now().uptimeNanoseconds - start))
      }
    }
    // What was put on the main queue is done there, as in an app.
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
  }
  report.expect("parts of the SDK", samples.count, in: 10...32)
  report.expect("every part was started every time", samples.values.allSatisfy { $0.count == rounds })
  for (name, nanoseconds) in samples.sorted(by: { $0.key < $1.key }) {
    report.time(
      "subsystem 1 << \(name.trailingZeroBitCount)", Measurement(nanoseconds: nanoseconds), unit: .µs, target: 200_000)
  }
}

/// As an app does it that switches everything on: the calling thread's part. The first is the process's first.
@MainActor func measureInitialize(_ report: Report) {
  report.heading("initialize with everything on, on the main thread")
  AutoMobileCrashes.shared.enableSignalHandlers()
  // As in every app with windows: the first observation of a process is Foundation's own matter.
  let observation = NotificationCenter.default.addObserver(forName: .init("bench"), object: nil, queue: nil) { _ in }
  defer { NotificationCenter.default.removeObserver(observation) }
  var nanoseconds: [Double] = []
  for _ in 0..<Measurement.count(50) {
    withScratchDirectory { directory in
      let configuration = AutoMobileConfiguration(
        flushIntervalMs: 3_600_000, storage: .directory(directory), subsystems: .all)
      let start = DispatchTime.now().uptimeNanoseconds
      AutoMobileSDK.shared.initialize(bundleId: "com.example.bench", configuration: configuration)
      nanoseconds.append(Double(DispatchTime.now().uptimeNanoseconds - start))
      report.expect("it is initialized", AutoMobileSDK.shared.isInitialized)
      // What was put on the main queue is done there, as in an app.
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
      AutoMobileSDK.shared.reset()
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
    }
  }
  let first = nanoseconds.removeFirst()
  report.time("the first one of the process", Measurement(nanoseconds: [first]), unit: .µs, target: 2_000_000)
  report.time("later ones", Measurement(nanoseconds: nanoseconds), unit: .µs, target: 2_000_000)
}

/// An argument selects one group: it has a process to itself then.
let groups: [(name: String, run: @MainActor (Report) -> Void)] = [
  ("initialize", measureInitialize), ("taps", measureTaps), ("starts", measureStarts),
  (
    "replay",
    {
      measureReplayBytes($0)
      measureReplayFrames($0)
    }
  ),
]
let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--short" }
switch arguments.first {
case "replay-hour": ReplayHour.run(Array(arguments.dropFirst()))
case ReplayHour.receiverArgument: ReplayHour.receive(Array(arguments.dropFirst()))
case let wanted:
  let wantedGroups = groups.filter { wanted == nil || wanted == $0.name }
  let report = Report()
  report.expect("a group is called \(wanted ?? "")", !wantedGroups.isEmpty)
  for group in wantedGroups { group.run(report) }
  report.finish()
}
