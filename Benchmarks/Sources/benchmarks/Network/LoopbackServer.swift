import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An HTTP/1.1 server that costs next to nothing: a thread for each connection, answers made once. In a process of its own.
///
/// `/SIZE` gives so many bytes, `/hold` answers when the server ends, `/held` says how many requests wait for that.
enum LoopbackServer {
  private static let requestsHeld = Count()

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
    let listener = makeSocket()
    var address = loopback(port: 0)
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

  /// How many requests a server holds. Over a socket of its own, since what a session takes would be measured.
  static func held(by url: URL) -> Int {
    let connection = makeSocket()
    defer { close(connection) }
    let address = loopback(port: in_port_t(url.port ?? 0))
    let isConnected = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let request = Array("GET /held HTTP/1.1\r\n\r\n".utf8)
    guard isConnected, send(connection, request, request.count, 0) == request.count else { return 0 }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = recv(connection, &buffer, buffer.count, 0)
    guard count > 0 else { return 0 }
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    return Int(text.split(whereSeparator: \.isNewline).last ?? "") ?? 0
  }

  private static func makeSocket() -> Int32 {
    #if canImport(Darwin)
    socket(AF_INET, SOCK_STREAM, 0)
    #else
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
  }

  private static func loopback(port: in_port_t) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func answer(_ connection: Int32) {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    var answers: [String: [UInt8]] = [:]
    var isHeld = false
    while true {
      // A request fits into one read here: no bodies, short headers, one at a time.
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let path = String(decoding: buffer[..<count].drop { $0 != 0x2F }.prefix { $0 != 0x20 }.dropFirst(), as: UTF8.self)
      if path == "hold" {
        isHeld = true
        requestsHeld.add(1)
        continue
      }
      if path == "held" {
        answers[path] = whole(Array("\(requestsHeld.value)".utf8))
      } else if answers[path] == nil {
        answers[path] = whole([UInt8](repeating: 0x61, count: Int(path) ?? 0))
      }
      guard let answer = answers[path] else { break }
      var done = 0
      while done < answer.count {
        let sent = answer[done...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
        guard sent > 0 else { break }
        done += sent
      }
    }
    // Whoever asked has gone.
    if isHeld { requestsHeld.add(-1) }
    close(connection)
  }

  private static func whole(_ body: [UInt8]) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
