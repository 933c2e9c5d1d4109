import CAutoMobile
import Foundation

/// A launch's ledger: mapped while the launch lives and writes it, read and written as a file afterwards.
final class LedgerFile {
  static let size = Int(AM_LEDGER_SIZE)

  /// The mapping of a live ledger.
  let mapping: UnsafeMutableRawPointer?
  private let path: String
  private(set) var identity: FileIdentity?
  private(set) var account = Account()

  /// A new, mapped ledger: a file when the directory allows it, otherwise memory.
  init(identity: FileIdentity, file: FileDescriptor?, path: String) throws(StorageError) {
    account.sequence = 1
    let image = Self.image(identity, account)
    // Written, not only mapped: then the room for it is there, and so is the page that is touched next.
    try file?.write(image)
    let flags = file == nil ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED
    let address = mmap(nil, Self.size, PROT_READ | PROT_WRITE, flags, file?.raw ?? -1, 0)
    guard let address, address != MAP_FAILED else { throw StorageError("map ledger") }
    if file == nil {
      image.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: address, count: Self.size).copyMemory(from: $0) }
    }
    _ = am_guard_add(address, Self.size, nil)
    mapping = address
    self.identity = identity
    self.path = path
  }

  /// A ledger in which nothing has been counted.
  private static func image(_ identity: FileIdentity, _ account: Account) -> [UInt8] {
    var image = identity.encoded
    image.reserveCapacity(size)
    image.append(contentsOf: repeatElement(0, count: offset(ofCopy: account.sequence % 2) - image.count))
    image.append(contentsOf: account.encoded)
    image.append(contentsOf: repeatElement(0, count: size - image.count))
    return image
  }

  /// Meets the first fault of a live ledger's mapping, so that no writer has to.
  func touch() {
    // Adds nothing, atomically: writers count there.
    if let mapping { _ = am_fetch_add_u64(mapping.assumingMemoryBound(to: UInt64.self), 0) }
  }

  /// The ledger that an earlier launch left; empty when the file is missing or damaged.
  init(path: String) {
    self.path = path
    mapping = nil
    reload()
  }

  deinit {
    guard let mapping else { return }
    am_guard_remove(mapping)
    munmap(mapping, Self.size)
  }

  /// What the writers have counted until now.
  var counts: WriterCounts {
    if let mapping { return WriterCounts(ledger: mapping) }
    return image().map { bytes in
      var bytes = bytes
      return bytes.withUnsafeMutableBytes { $0.baseAddress.map(WriterCounts.init(ledger:)) ?? WriterCounts() }
    } ?? WriterCounts()
  }

  /// Reads identity and account again.
  func reload() {
    guard let bytes = image() else { return }
    bytes.withUnsafeBytes { raw in
      identity = FileIdentity(raw, role: .ledger)
      let accounts = (0..<2).compactMap { copy in
        Account(
          UnsafeRawBufferPointer(
            rebasing: raw[Self.offset(ofCopy: UInt64(clamping: copy))..<Self.offset(ofCopy: UInt64(clamping: copy + 1))]
          ))
      }
      if let newest = accounts.max(by: { $0.sequence < $1.sequence }) { account = newest }
    }
  }

  /// Replaces the account, in one step that a killed process has taken or not.
  func commit(_ next: Account) {
    var next = next
    next.sequence = account.sequence &+ 1
    account = next
    let bytes = next.encoded
    let offset = Self.offset(ofCopy: next.sequence % 2)
    bytes.withUnsafeBytes { raw in
      if let mapping, let source = raw.baseAddress {
        (mapping + offset).copyMemory(from: source, byteCount: raw.count)
      } else if let file = try? FileDescriptor(path: path, flags: O_WRONLY) {
        try? file.write(raw, at: offset)
        file.close()
      }
    }
  }

  private static func offset(ofCopy copy: UInt64) -> Int {
    Int(AM_LEDGER_ACCOUNTS) + Int(clamping: copy) &* Int(AM_LEDGER_ACCOUNT_SIZE)
  }

  private func image() -> [UInt8]? {
    guard let file = try? FileDescriptor(path: path, flags: O_RDONLY) else { return nil }
    defer { file.close() }
    var bytes = file.read(at: 0, count: Self.size)
    bytes.append(contentsOf: repeatElement(0, count: Self.size - bytes.count))
    return bytes
  }
}
