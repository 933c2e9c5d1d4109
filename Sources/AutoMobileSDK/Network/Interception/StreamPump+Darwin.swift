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

  /// A stream that gives what `source` gives.
  static func tapped(_ source: InputStream, _ tap: BodyTap) -> InputStream {
    var input: InputStream?
    var output: OutputStream?
    Stream.getBoundStreams(withBufferSize: bufferSize, inputStream: &input, outputStream: &output)
    guard let input, let output else { return source }
    // Each end is used by one thread: this one from here on by the queue's, the other by the loading system's.
    nonisolated(unsafe) let from = source
    nonisolated(unsafe) let to = output
    queue.async { pump(from, to, tap) }
    return input
  }

  /// Until either side ends: a request that is over closes its end, and writing then fails.
  private static func pump(_ source: InputStream, _ output: OutputStream, _ tap: BodyTap) {
    source.open()
    output.open()
    defer {
      output.close()
      source.close()
    }
    var buffer = [UInt8](repeating: 0, count: bufferSize)
    while true {
      let count = source.read(&buffer, maxLength: bufferSize)
      guard count > 0 else { return }
      tap.saw(Data(buffer[..<count]))
      var done = 0
      while done < count {
        let written = buffer[done..<count].withUnsafeBufferPointer { bytes in
          bytes.baseAddress.map { output.write($0, maxLength: bytes.count) } ?? 0
        }
        guard written > 0 else { return }
        done += written
      }
    }
  }
}
#endif
