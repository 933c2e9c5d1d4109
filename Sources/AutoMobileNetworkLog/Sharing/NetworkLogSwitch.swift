import AutoMobileJournal
import AutoMobileSupport
import CAutoMobile
import Foundation

/// Whether the log is to be written. The companion sets it, the app looks at its start.
///
///     try NetworkLogSwitch(directory).turnOn(until: Date() + 86_400)
///
/// A file that is missing, damaged or anything but what ``turnOn(until:)`` writes means off. Any thread; reads and writes a
/// small file.
public struct NetworkLogSwitch: Sendable {
  /// What the file says.
  public enum State: Sendable, Equatable {
    /// - Parameter until: nil: until it is switched off.
    case on(until: Date?)
    case off
    /// There is a file, and it is not understood: off, with what is wrong.
    case damaged(String)

    public var isOn: Bool { if case .on = self { true } else { false } }
  }

  private struct Document: Codable {
    var version: Int
    var isOn: Bool
    /// In milliseconds since 1970.
    var until: Int64?
  }

  /// A longer file is none of ours.
  private static let maximumSize = 4096
  private let file: URL

  public init(_ directory: NetworkLogDirectory) { file = directory.switchFile }

  public var isOn: Bool { state().isOn }

  public func state(at now: Date = Date(timeIntervalSince1970: Double(am_wall_now()) / 1000)) -> State {
    let bytes: [UInt8]
    do throws(StorageError) {
      let descriptor = try FileDescriptor(path: file.path, flags: O_RDONLY)
      defer { descriptor.close() }
      guard (1...Self.maximumSize).contains(descriptor.size) else { return .damaged("it is no file of a few bytes") }
      bytes = descriptor.read(at: 0, count: Self.maximumSize)
    } catch {
      return access(file.path, F_OK) == 0 ? .damaged(error.description) : .off
    }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.version == 1 else {
      return .damaged("it is no switch of this version")
    }
    let until = document.until.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    guard document.isOn, until.map({ now < $0 }) ?? true else { return .off }
    return .on(until: until)
  }

  /// The app records from its next start on.
  ///
  /// - Parameter until: after that, a start of the app finds it off; nil: it stays on.
  /// - Throws: when the file cannot be written.
  public func turnOn(until: Date? = nil) throws {
    try write(
      Document(version: 1, isOn: true, until: until.map { Int64(saturating: $0.timeIntervalSince1970 * 1000) }))
  }

  /// The app records no more, from its next start on. What was recorded stays until it is too old.
  ///
  /// - Throws: when the file cannot be written.
  public func turnOff() throws { try write(Document(version: 1, isOn: false)) }

  /// Whoever reads finds the old file or the new one, never a part.
  private func write(_ document: Document) throws {
    try JournalDirectory(file.deletingLastPathComponent()).create()
    try JSONEncoder().encode(document).writeProtected(to: file)
  }
}
