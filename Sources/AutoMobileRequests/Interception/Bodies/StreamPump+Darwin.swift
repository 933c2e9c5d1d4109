#if canImport(Darwin)
import Foundation

/// Carries a body stream from the app to the loading system, and lets a tap look at what passes. Apple's loading system
/// takes only streams of its own kind, so it gets one end of a pair.
enum StreamPump {
  /// Bytes under way at a time; whoever reads slower than the app writes holds the app's stream up.
  private static let bufferSize = 32 * 1024
  /// Reading and writing block, so each stream in motion has a thread while it moves.
  private static let queue = DispatchQueue(
    label: "dev.jasonpearson.automobile.sdk.network.bodies", qos: .userInitiated, attributes: .concurrent)

  /// A stream that gives `beginning` and then what `source` gives.
  static func tapped(_ source: InputStream, after beginning: Data, _ tap: BodyTap?) -> InputStream {
    var input: InputStream?
    var output: OutputStream?
    Stream.getBoundStreams(withBufferSize: bufferSize, inputStream: &input, outputStream: &output)
    guard let input, let output else { return source }
    // Each end is used by one thread: this one from here on by the queue's, the other by the loading system's.
    nonisolated(unsafe) let from = source
    nonisolated(unsafe) let to = output
    queue.async { pump(beginning, from, to, tap) }
    return input
  }

  /// Until either side ends: a request that is over closes its end, and writing then fails.
  private static func pump(_ beginning: Data, _ source: InputStream, _ output: OutputStream, _ tap: BodyTap?) {
    if source.streamStatus == .notOpen { source.open() }
    output.open()
    defer {
      output.close()
      source.close()
    }
    guard write([UInt8](beginning), to: output, tap) else { return }
    var buffer = [UInt8](repeating: 0, count: bufferSize)
    while true {
      let count = source.read(&buffer, maxLength: bufferSize)
      guard count > 0, write(buffer[..<count], to: output, tap) else { return }
    }
  }

  /// False when nobody reads any more.
  private static func write(
    _ bytes: some RandomAccessCollection<UInt8> & ContiguousBytes, to output: OutputStream, _ tap: BodyTap?
  ) -> Bool {
    tap?.saw(Data(bytes))
    return bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        guard let next = bytes.baseAddress?.advanced(by: done).assumingMemoryBound(to: UInt8.self) else { return false }
        let written = output.write(next, maxLength: bytes.count - done)
        guard written > 0 else { return false }
        done += written
      }
      return true
    }
  }
}
#endif
