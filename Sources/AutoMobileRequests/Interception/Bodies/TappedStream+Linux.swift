#if canImport(FoundationNetworking)
import Foundation

/// A body stream that is read as the one behind it, after what was read of that already; its bytes are looked at while they
/// pass.
final class TappedStream: InputStream {
  private let source: InputStream
  private let tap: BodyTap?
  private var beginning: Data

  init(_ source: InputStream, after beginning: Data, tap: BodyTap?) {
    self.source = source
    self.beginning = beginning
    self.tap = tap
    super.init(data: Data())
  }

  override func open() {
    if source.streamStatus == .notOpen { source.open() }
  }

  override func close() { source.close() }
  override var streamStatus: Stream.Status {
    !beginning.isEmpty && source.streamStatus == .atEnd ? .open : source.streamStatus
  }
  override var streamError: (any Error)? { source.streamError }
  override var hasBytesAvailable: Bool { !beginning.isEmpty || source.hasBytesAvailable }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
    let count = beginning.isEmpty ? source.read(buffer, maxLength: length) : readBeginning(buffer, length)
    if count > 0 { tap?.saw(Data(bytes: buffer, count: count)) }
    return count
  }

  private func readBeginning(_ buffer: UnsafeMutablePointer<UInt8>, _ length: Int) -> Int {
    let count = min(length, beginning.count)
    beginning.copyBytes(to: buffer, count: count)
    beginning = beginning.dropFirst(count)
    return count
  }
}
#endif
