import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// What the app and the system were like at one moment: the payload of a state record.
///
/// Every record says everything, so that the last one of a launch is enough. It stays on the device.
package struct LaunchState: Codable, Equatable, Sendable {
  /// Where the app is, as far as the user sees it.
  package enum Stage: String, Codable, CaseIterable, Sendable {
    case active
    /// Visible and not in use, as while the app switcher is shown.
    case inactive
    case background
  }

  /// An end that was announced.
  enum Exit: String, Codable, CaseIterable, Sendable {
    /// `exit`, or a return from `main`.
    case exit
    /// `AutoMobileSDK.shutdown()`: nothing is recorded any more.
    case shutdown
    /// The system said that it would end the app.
    case announced
  }

  /// Milliseconds since 1970.
  var time: Int64
  var stage: Stage
  var memory = MemoryUse()
  var isTraced = false
  /// Whether a crash would leave a report.
  var capturesCrashes = false
  var exit: Exit?
  /// Names the boot of the machine; nil when unknown.
  var boot: String?
  var bundleId: String?
  var appVersion: String?
  var osVersion: String?
}

extension LaunchState {
  /// Where an app is that has not said anything yet. One with a user interface may have been started in the background.
  #if canImport(UIKit) && !os(watchOS)
  static let firstStage = Stage.background
  #else
  static let firstStage = Stage.active
  #endif

  /// Appends it to a journal. Any thread; allocates nothing worth mentioning, and waits for nothing.
  func append(to journal: Journal) {
    _ = try? withJSONObject { json in
      json.member("time", time)
      json.member("stage", stage.rawValue)
      json.object("memory") { memory.encodeMembers(into: &$0) }
      json.member("isTraced", isTraced)
      json.member("capturesCrashes", capturesCrashes)
      json.member("exit", exit?.rawValue)
      json.member("boot", boot)
      json.member("bundleId", bundleId)
      json.member("appVersion", appVersion)
      json.member("osVersion", osVersion)
    } body: { bytes in
      journal.append(.state, bytes)
    }
  }

  /// The records of a launch, oldest first; those that cannot be read are left out. Reads the disk.
  static func last(_ limit: Int, of launch: LaunchID, in journal: Journal) -> [LaunchState] {
    journal.lastRecords(of: [.state], limit: limit, launch: launch)
      .compactMap { try? JSONDecoder().decode(LaunchState.self, from: Data($0.payload)) }
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension LaunchState {
  package init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    time = members.value("time")
    stage = members.value("stage", or: .background)
    memory = members.value("memory", or: MemoryUse())
    isTraced = members.value("isTraced")
    capturesCrashes = members.value("capturesCrashes")
    exit = members.value("exit")
    boot = members.value("boot")
    bundleId = members.value("bundleId")
    appVersion = members.value("appVersion")
    osVersion = members.value("osVersion")
    try members.end()
  }

  package func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("time", time)
    members.add("stage", stage)
    members.add("memory", memory)
    members.add("isTraced", isTraced)
    members.add("capturesCrashes", capturesCrashes)
    members.add("exit", exit)
    members.add("boot", boot)
    members.add("bundleId", bundleId)
    members.add("appVersion", appVersion)
    members.add("osVersion", osVersion)
    try members.end()
  }
}
