import CChildProcess
import Foundation

/// Programs that tests start, and their ends.
enum Programs {
  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  /// A program by its name, in the places where Debian and others have it.
  static func find(_ name: String) -> String? {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let newest = versions.compactMap(Int.init).sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let others = ["/usr/sbin", "/opt/homebrew/bin", "/opt/homebrew/opt/postgresql/bin", "/usr/local/bin"]
    return (newest + path + others).map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// PostgreSQL and pgbouncer refuse to run as root: then they run as `postgres`, who came with them.
  static var asNobodySpecial: [String] {
    geteuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] : []
  }

  /// A new folder, for servers and who they run as: that one cannot look into every folder of root's.
  static func makeDirectory(_ name: String) throws -> URL {
    let temporary = geteuid() == 0 ? URL(filePath: "/tmp") : FileManager.default.temporaryDirectory
    let directory = temporary.appending(path: "\(name)-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    if geteuid() == 0 { try run(["chown", "postgres", directory.path]) }
    return directory
  }

  /// Runs it to its end.
  ///
  /// - Returns: what it wrote.
  @discardableResult
  static func run(_ words: [String], environment: [String: String] = [:], in directory: URL? = nil) throws -> String {
    var child = try start(words, environment: environment, in: directory)
    close(child.input)
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(child.output, &bytes, bytes.count)
      guard count > 0 else { break }
      text += bytes[..<count]
    }
    close(child.output)
    let status = end(of: &child)
    let written = String(decoding: text, as: UTF8.self)
    guard status == 0 else { throw Failed(description: "\(words.joined(separator: " ")): \(written)") }
    return written
  }

  /// Starts one that has none of this process's files: Foundation's would have those of others that are started beside it, and then
  /// nobody sees their end.
  static func start(_ words: [String], environment: [String: String], in directory: URL?) throws -> am_child {
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var texts = ["env"] + words
    let first = texts.count
    texts += all.map { "\($0.key)=\($0.value)" }
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var child = am_child()
    let error = am_child_start(
      "/usr/bin/env", copies[..<first] + [nil], copies[first...] + [nil], directory?.path, true, &child)
    guard error == 0 else { throw Failed(description: "\(words.first ?? ""): \(String(cString: strerror(error)))") }
    return child
  }

  /// Waits until it has ended.
  @discardableResult
  static func end(of child: inout am_child) -> Int32 {
    var status: Int32 = 0
    while waitpid(child.pid, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// A port that nobody has now, of those that the kernel gives to nobody: a server that is started again finds it free. Others may
  /// take it all the same before it is used.
  static func freePort() throws -> Int {
    for _ in 1...1000 {
      let port = Int.random(in: 10_000..<30_000)
      let descriptor = socket(AF_INET, streamType, 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isBound { return port }
    }
    throw Failed(description: "there is no port")
  }

  /// How long one may take to start, on a machine that has much else to do.
  static let patience: TimeInterval = 180

  #if canImport(Darwin)
  static let streamType = SOCK_STREAM
  #else
  static let streamType = Int32(SOCK_STREAM.rawValue)
  #endif
}

/// A server that ends with whoever started it, in whatever way that ends: a shell waits beside it for the end of its input.
final class Guarded: @unchecked Sendable {
  // Unchecked: what changes is read and written with the lock held.
  private let lock = NSLock()
  private var shell: am_child?
  private var hasEnded = false

  /// - Parameter leavings: removed when the server was ended with ``end(keeps:)`` or with this process.
  init(_ words: [String], log: URL, leavings: URL) throws {
    let script = """
      log=$1; leavings=$2; shift 2
      # Only the server and its children have the output as their third file: it ends with the last of them.
      "$@" 3>&1 >>"$log" 2>&1 </dev/null & server=$!
      exec >/dev/null 2>&1
      read -r word
      # PostgreSQL ends at once with the first one, pgbouncer with the second one, which the first one says nothing to.
      kill -QUIT $server 2>/dev/null; kill -TERM $server 2>/dev/null; wait $server
      [ "$word" = keep ] || rm -rf "$leavings"
      """
    shell = try Programs.start(
      ["/bin/sh", "-c", script, "sh", log.path, leavings.path] + words, environment: [:], in: leavings)
  }

  /// Whether it, or a process that it has started, is there.
  var isRunning: Bool {
    lock.withLock {
      guard let shell, !hasEnded else { return false }
      var output = pollfd(fd: shell.output, events: Int16(POLLIN), revents: 0)
      hasEnded = poll(&output, 1, 0) > 0
      return !hasEnded
    }
  }

  /// Ends it at once, without a goodbye, and returns when it has ended.
  func end(keeps: Bool) {
    let child = lock.withLock {
      defer { shell = nil }
      return shell
    }
    guard var child else { return }
    let word = Array((keeps ? "keep\n" : "end\n").utf8)
    _ = write(child.input, word, word.count)
    close(child.input)
    Programs.end(of: &child)
    close(child.output)
  }
}
