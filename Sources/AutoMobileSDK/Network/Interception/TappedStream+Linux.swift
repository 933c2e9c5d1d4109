#if canImport(FoundationNetworking)
import Foundation

/// A body stream that is read as the one behind it, and whose bytes are looked at while they pass.
final class TappedStream: InputStream {
  private let source: InputStream
  private let tap: BodyTap

  init(_ source: InputStream, tap: BodyTap) {
    self.source = source
    self.tap = tap
    super.init(data: Data())
  }

  override func open() { source.open() }
  override func close() { source.close() }
  override var streamStatus: Stream.Status { source.streamStatus }
  override var streamError: (any Error)? { source.streamError }
  override var hasBytesAvailable: Bool { source.hasBytesAvailable }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
    let count = source.read(buffer, maxLength: length)
    if count > 0 { tap.saw(Data(bytes: buffer, count: count)) }
    return count
  }
}
#endif
