import AutoMobileJournal
import Foundation

/// What is kept of the user's decisions.
struct ConsentRecord: Sendable, Equatable {
  /// Nil: nobody has decided, but everything was erased once.
  var consent: Consent?
  /// When everything was last erased, in milliseconds since 1970; 0: never. Whoever records into the same place in another
  /// process, and sees a later time than before, erases what it still holds.
  var erasedAt: Int64 = 0
  /// Not everything is gone yet: who finds it so at its start goes on where somebody else has died.
  var isErasing = false

  var text: String {
    (consent?.rawValue ?? Self.undecided) + " " + String(erasedAt) + (isErasing ? " " + Self.erasing : "") + "\n"
  }

  private static let undecided = "undecided"
  private static let erasing = "erasing"

  init(consent: Consent?, erasedAt: Int64 = 0, isErasing: Bool = false) {
    self.consent = consent
    self.erasedAt = erasedAt
    self.isErasing = isErasing
  }

  /// Nil when it is something else.
  init?(_ text: String) {
    let words = text.dropLast().split(separator: " ", omittingEmptySubsequences: false)
    guard text.hasSuffix("\n"), (2...3).contains(words.count), let erasedAt = Int64(words[1]), erasedAt >= 0 else {
      return nil
    }
    guard words.count == 2 || words[2] == Self.erasing else { return nil }
    let consent = Consent(rawValue: String(words[0]))
    guard consent != nil || words[0] == Self.undecided else { return nil }
    self.init(consent: consent, erasedAt: erasedAt, isErasing: words.count == 3)
  }
}

/// Where the user's decision is kept over launches: one line, in a file that has nothing else in it.
///
/// Not among the recordings, which a denial erases, nor in the caches, which the system empties: a denial that is forgotten is
/// none. For recordings in a directory of the app's choice, which other processes may share, it is that directory's name with
/// `.consent` behind it, so that they share the decision.
struct ConsentFile: Sendable {
  /// Where it is, and where it is if that place cannot be written to.
  private let paths: [String]

  /// More is not read.
  private static let maximumSize = 64

  init(_ place: RecordingPlace, _ storage: StorageLocation) {
    let directory = place.directory.path
    switch storage {
    case .directory: paths = [directory + ".consent", directory + "/consent"]
    case .caches, .applicationSupport:
      let name = "automobile-" + place.safeOwner + ".consent"
      let support = StorageLocation.applicationSupport.resolved()?.deletingLastPathComponent().path
      paths = [support.map { $0 + "/" + name }, directory + "/" + name].compactMap { $0 }
    }
  }

  /// What was kept; nil when nothing is. A file that cannot be read, or says something else, may have been a denial: until
  /// somebody says what holds, nothing is sent.
  ///
  /// Reads a few bytes, for the thread that initializes.
  func read() -> ConsentRecord? {
    for path in paths {
      do throws(StorageError) {
        let file = try FileDescriptor(path: path, flags: O_RDONLY)
        defer { file.close() }
        let text = String(decoding: file.read(at: 0, count: Self.maximumSize), as: UTF8.self)
        return ConsentRecord(text) ?? ConsentRecord(consent: .pending)
      } catch {
        guard error.code == ENOENT || error.code == ENOTDIR else { return ConsentRecord(consent: .pending) }
      }
    }
    return nil
  }

  /// Replaces what is there, in one step that a killed process has taken or not. Writes to the disk.
  ///
  /// - Throws: what the file system says, when there is no place for it.
  func write(_ record: ConsentRecord) throws {
    // It has to be readable before the device is unlocked for the first time, too.
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    let options: Data.WritingOptions = [.atomic, .noFileProtection]
    #else
    let options: Data.WritingOptions = .atomic
    #endif
    var failure: (any Error)?
    for (index, path) in paths.enumerated() {
      do {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(record.text.utf8).write(to: url, options: options)
        // What stands in the other place is older.
        for other in paths[(index + 1)...] { unlink(other) }
        return
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}
