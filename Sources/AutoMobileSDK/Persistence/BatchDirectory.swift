import Foundation

/// A directory of batch files. Every call blocks on the disk.
struct BatchDirectory {
  let url: URL

  /// More batches are not kept: the oldest are removed.
  static let maximumCount = 1000

  init(_ url: URL) {
    self.url = url
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    #if canImport(Darwin)
    // Readable after the first unlock, so that a launch in the background can deliver; and not worth a backup.
    try? FileManager.default.setAttributes(
      [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: url.path)
    var directory = url
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try? directory.setResourceValues(values)
    #endif
  }

  /// The batches with this extension, oldest first.
  func batches(_ fileExtension: String = BatchFile.fileExtension) -> [BatchFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let suffix = "." + fileExtension
    return names.filter { $0.hasSuffix(suffix) }
      .compactMap { BatchFile(name: $0.dropLast(suffix.count)) }
      .sorted { $0.name < $1.name }
  }

  /// Writes beside, and renames: a file under its final name is whole.
  func write(_ bytes: [UInt8], as batch: BatchFile) -> Bool {
    let temporary = url.appendingPathComponent(batch.name + ".tmp")
    do {
      #if canImport(Darwin)
      try Data(bytes).write(to: temporary, options: .completeFileProtectionUntilFirstUserAuthentication)
      #else
      try Data(bytes).write(to: temporary)
      #endif
      try FileManager.default.moveItem(at: temporary, to: path(of: batch))
      return true
    } catch {
      try? FileManager.default.removeItem(at: temporary)
      return false
    }
  }

  enum Contents {
    case payloads([[UInt8]])
    /// Whole or not, it cannot be told now.
    case unreadable
    case damaged
  }

  func read(_ batch: BatchFile) -> Contents {
    let file = path(of: batch)
    let size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? nil
    if let size, size > BatchFile.maximumSize { return .damaged }
    guard let data = try? Data(contentsOf: file) else { return .unreadable }
    guard let payloads = data.withUnsafeBytes(batch.decode) else { return .damaged }
    return .payloads(payloads)
  }

  /// Takes a damaged file out of the queue, but keeps it, for whoever wants to know.
  func setAside(_ batch: BatchFile) {
    try? FileManager.default.moveItem(
      at: path(of: batch), to: path(of: batch, BatchFile.damagedExtension))
  }

  func remove(_ batch: BatchFile, _ fileExtension: String = BatchFile.fileExtension) {
    try? FileManager.default.removeItem(at: path(of: batch, fileExtension))
  }

  private func path(of batch: BatchFile, _ fileExtension: String = BatchFile.fileExtension) -> URL {
    url.appendingPathComponent(batch.name + "." + fileExtension, isDirectory: false)
  }
}
