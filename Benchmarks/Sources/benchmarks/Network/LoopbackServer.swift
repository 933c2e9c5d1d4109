import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An HTTP/1.1 server that costs next to nothing: a thread for each connection, answers made once. In a process of its own.
///
/// `/SIZE` gives so many bytes, `/hold` answers when the server ends.
enum LoopbackServer {
  static func start() -> (process: Process, url: URL)? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--serve"]
    process.standardInput = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    var line = Data()
    while line.last != 10, let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
      line += byte
    }
    let port = String(decoding: line.dropLast(), as: UTF8.self)
    return URL(string: "http://127.0.0.1:\(port)").map { (process, $0) }
  }

  /// The child's side; ends with its input.
  static func serve() -> Never {
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Darwin)
    let listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, length)
        _ = listen(listener, 1024)
        _ = getsockname(listener, $0, &length)
      }
    }
    print(UInt16(bigEndian: address.sin_port))
    fflush(nil)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { continue }
        var yes: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let thread = Thread { answer(connection) }
        thread.stackSize = 128 * 1024
        thread.start()
      }
    }
    _ = FileHandle.standardInput.readDataToEndOfFile()
    exit(0)
  }

  private static func answer(_ connection: Int32) {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    var answers: [String: [UInt8]] = [:]
    while true {
      // A request fits into one read here: no bodies, short headers, one at a time.
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let path = String(decoding: buffer[..<count].drop { $0 != 0x2F }.prefix { $0 != 0x20 }.dropFirst(), as: UTF8.self)
      if path == "hold" { continue }
      if answers[path] == nil {
        let size = Int(path) ?? 0
        answers[path] =
          Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8) + [UInt8](repeating: 0x61, count: size)
      }
      guard let answer = answers[path] else { break }
      var done = 0
      while done < answer.count {
        let sent = answer[done...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
        guard sent > 0 else { break }
        done += sent
      }
    }
    close(connection)
  }
}
