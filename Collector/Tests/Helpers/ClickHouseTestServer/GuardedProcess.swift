import CChildProcess
import Foundation

/// A program with pipes for its input and output, and none of this process's other files: Foundation's `Process` lets programs that
/// are started beside each other have each other's pipes, and then none of them sees the end of its input.
package final class GuardedProcess: Sendable {
  private let child: am_child

  package init(_ words: [String], in directory: URL) throws {
    let texts = ["env"] + words
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    let copies = (texts + environment).map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var child = am_child()
    let error = am_child_start(
      "/usr/bin/env", copies[..<texts.count] + [nil], copies[texts.count...] + [nil], directory.path, false, &child)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
    self.child = child
  }

  /// - Throws: when it has ended.
  package func write(_ data: Data) throws {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(child.input, $0.baseAddress, $0.count) }
      guard count > 0 else { throw POSIXError(.EPIPE) }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for more; nothing at its end.
  package func read() -> Data {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(child.output, &bytes, bytes.count)
    return Data(bytes.prefix(max(0, count)))
  }

  /// Ends its input, and returns when it has ended. Nobody may use it afterwards.
  package func end() {
    close(child.input)
    var status: Int32 = 0
    while waitpid(child.pid, &status, 0) < 0, errno == EINTR {}
    close(child.output)
  }
}
