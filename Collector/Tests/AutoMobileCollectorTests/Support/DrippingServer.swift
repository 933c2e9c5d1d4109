import Foundation
import Glibc

/// Answers each request with a head, and then with a byte now and then, for ever.
final class DrippingServer: Sendable {
  private let listener: LoopbackListener

  init() throws { listener = try LoopbackListener(Self.drip) }

  var port: Int { listener.port }

  func stop() { listener.stop() }

  @Sendable private static func drip(_ connection: Int32) {
    var request = [UInt8](repeating: 0, count: 4096)
    guard recv(connection, &request, request.count, 0) > 0 else { return }
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    guard send(connection, head, head.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
    let part = "1\r\nx\r\n"
    while send(connection, part, part.utf8.count, Int32(MSG_NOSIGNAL)) > 0 { usleep(100_000) }
  }
}
