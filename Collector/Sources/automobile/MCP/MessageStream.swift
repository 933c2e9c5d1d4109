import AutoMobileCollector
import AutoMobileState
import Foundation
import NIOConcurrencyHelpers
import NIOCore

/// Messages over standard input and output: one on each line.
///
/// Requests are answered as they are done, some at a time; nothing but answers is written. It ends with its input.
struct MessageStream: Sendable {
  let server: MCPServer

  /// The longest message, in bytes; a longer one is refused, and what follows it is read.
  static let longest = 1 << 20
  /// More requests wait for one of these.
  private static let atOnce = 8

  func serve() async {
    let state = StreamState()
    await withTaskGroup(of: Void.self) { tasks in
      var running = 0
      for await line in Self.lines() {
        if running >= Self.atOnce {
          await tasks.next()
          running -= 1
        }
        guard let line else {
          Self.write(Self.tooLong)
          continue
        }
        if state.cancels(line) || line.readableBytes == 0 { continue }
        running += 1
        tasks.addTask { await answer(line, state) }
      }
      await tasks.waitForAll()
    }
  }

  private func answer(_ line: ByteBuffer, _ state: StreamState) async {
    let work = Task { await server.answer(line, state.arrival) }
    let id = state.began(line, work)
    let reply = await work.value
    state.note(reply)
    guard !state.ended(id), let body = reply.body else { return }
    Self.write(body)
  }

  private static let tooLong = ByteBuffer(
    string: #"{"error":{"code":-32600,"message":"a message has at most 1048576 bytes"},"jsonrpc":"2.0"}"#)

  /// Held while a line is written: a long one goes to a pipe in pieces.
  private static let turn = NIOLock()

  private static func write(_ body: ByteBuffer) {
    var line = Data(body.readableBytesView)
    line.append(UInt8(ascii: "\n"))
    turn.withLock { Console.standard.write(line, as: .json) }
  }

  /// The lines of standard input; nil for one that is too long. Reading blocks, so it has a thread of its own.
  private static func lines() -> AsyncStream<ByteBuffer?> {
    AsyncStream { continuation in
      startThread {
        var buffer = ByteBuffer()
        var isTooLong = false
        while read(into: &buffer) {
          while let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let line = buffer.readSlice(length: end - buffer.readerIndex)
            buffer.moveReaderIndex(forwardBy: 1)
            continuation.yield(isTooLong || (line?.readableBytes ?? 0) > longest ? nil : line)
            isTooLong = false
          }
          if buffer.readableBytes > longest {
            buffer.clear()
            isTooLong = true
          }
          buffer.discardReadBytes()
        }
        // The last line may have no end.
        if buffer.readableBytes > 0 { continuation.yield(isTooLong ? nil : buffer) }
        continuation.finish()
      }
    }
  }

  /// What is there, once something is; false at the end.
  private static func read(into buffer: inout ByteBuffer) -> Bool {
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 64 << 10) { space in
      while true {
        let count = Foundation.read(STDIN_FILENO, space.baseAddress, space.count)
        if count >= 0 || errno != EINTR { return max(count, 0) }
      }
    } > 0
  }
}
