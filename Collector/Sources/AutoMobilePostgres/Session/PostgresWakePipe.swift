import AutoMobileState
import Foundation

/// Wakes a thread that waits for a socket.
final class PostgresWakePipe: Sendable {
  private let reader: Int32
  private let writer: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw StateError(.engine, "no pipe can be made: \(String(cString: strerror(errno)))")
    }
    (reader, writer) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes as well.
    _ = write(writer, &byte, 1)
  }

  /// Until it is woken, something comes on the socket, or the time is over.
  func wait(_ time: Duration, besides socket: Int32? = nil) {
    let sockets = [reader, socket].compactMap(\.self).map { (socket: $0, events: Int16(POLLIN)) }
    guard PostgresPoll.wait(for: sockets, time).first == true else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(reader, &bytes, bytes.count) == bytes.count {}
  }

  deinit {
    close(reader)
    close(writer)
  }
}
