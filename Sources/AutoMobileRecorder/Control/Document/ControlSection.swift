/// A part of the document, with its type: what one subsystem lets a collector decide.
///
///     struct ReplaySection: ControlSection {
///       static let name = "replay"
///       var isEnabled = true
///       init() {}
///       init(_ section: ControlValue) throws {
///         isEnabled = try section.member("enabled").bool(default: true)
///       }
///     }
///     channel.observe(ReplaySection.self) { section in … }
package protocol ControlSection: Sendable, Equatable {
  /// The member of the document.
  static var name: String { get }
  /// What holds while no document says otherwise.
  init()
  /// - Throws: ``ControlError``, when something is of another type or out of bounds. The last valid section stays.
  init(_ section: ControlValue) throws
  /// What of a section that holds is not applied, and why, in words.
  var refused: [String] { get }
}

extension ControlSection {
  package var refused: [String] { [] }
}

/// Parts of a section that holds are not applied.
struct ControlRefusals: Error {
  /// In words; not more than the diagnostics can show.
  let messages: [String]

  private static let most = 8

  init(_ messages: [String]) {
    let more = messages.count - Self.most
    self.messages = messages.prefix(Self.most) + (more > 0 ? ["and \(more) more like these"] : [])
  }
}

/// The kill switch: `"recording":{"enabled":false}`.
struct RecordingSection: ControlSection {
  static let name = "recording"
  var isEnabled = true

  init() {}

  init(_ section: ControlValue) throws { isEnabled = try section.member("enabled").bool(default: true) }
}

/// The share of sessions that are recorded: `"sampling":{"sessionRate":0.25}`.
struct SamplingSection: ControlSection {
  static let name = "sampling"
  /// From 0 (none) to 1 (all).
  var sessionRate = 1.0

  init() {}

  init(_ section: ControlValue) throws {
    sessionRate = try section.member("sessionRate").number(in: 0...1, default: 1)
  }
}

/// The channel itself: `"control":{"checkSeconds":900,"commands":true}`.
struct ChannelSection: ControlSection {
  static let name = "control"
  /// While recording is switched off, how often to look whether it is on again.
  var checkSeconds: Int64 = 900
  /// Whether debug builds ask for commands.
  var takesCommands = true

  init() {}

  init(_ section: ControlValue) throws {
    checkSeconds = try section.member("checkSeconds").integer(in: 60...86_400, default: 900)
    takesCommands = try section.member("commands").bool(default: true)
  }
}
