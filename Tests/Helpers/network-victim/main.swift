import AutoMobileHTTP
import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Moves a large body through an intercepted session, and says how much memory that took at most.
//
//   network-victim download|file|stream URL BYTES
//
// The last line of its output is JSON: the bytes that arrived or were sent, and the peak of resident memory before and after.

/// Keeps what telemetry would.
final class Observer: NetworkObserver {
  func interest(in request: URLRequest) -> CaptureInterest? { CaptureInterest(bodyLimit: 32 * 1024) }
  func exchangeEnded(_ exchange: HTTPExchange) {}
}

/// Counts, and forgets.
final class Counter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // Unchecked: used on the session's delegate queue, and read after the semaphore was signalled there.
  var received: Int64 = 0
  var sent: Int64 = 0
  var failure: String?
  let stream: ZeroStream?
  let ended = DispatchSemaphore(value: 0)

  init(stream: ZeroStream? = nil) { self.stream = stream }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    received += Int64(data.count)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) { sent = totalBytesSent }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) { completionHandler(stream) }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    failure = error.map { "\($0)" }
    ended.signal()
  }
}

/// So many zeros, made while they are read.
final class ZeroStream: InputStream {
  private var left: Int
  private var status = Stream.Status.notOpen

  init(count: Int) {
    left = count
    super.init(data: Data())
  }

  override func open() { status = .open }
  override func close() { status = .closed }
  override var streamStatus: Stream.Status { status }
  override var streamError: (any Error)? { nil }
  override var hasBytesAvailable: Bool { left > 0 }
  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
    let count = min(left, length)
    buffer.initialize(repeating: 0, count: count)
    left -= count
    return count
  }
}

/// The most memory that this process has had, in bytes.
func peak() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return (line?.split(separator: " ").dropLast().last).flatMap { Int($0) }.map { $0 << 10 } ?? 0
}

func run(_ mode: String, _ url: URL, _ bytes: Int) -> Counter {
  let configuration = URLSessionConfiguration.ephemeral
  // To compare with.
  if ProcessInfo.processInfo.environment["BARE"] == nil { NetworkInterception.shared.register(in: configuration) }
  let counter = Counter(stream: mode == "stream" ? ZeroStream(count: bytes) : nil)
  let session = URLSession(configuration: configuration, delegate: counter, delegateQueue: nil)
  defer { session.finishTasksAndInvalidate() }
  var request = URLRequest(url: url)
  if mode != "download" { request.httpMethod = "PUT" }
  let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  defer { try? FileManager.default.removeItem(at: file) }
  switch mode {
  case "file":
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    truncate(file.path, off_t(bytes))
    session.uploadTask(with: request, fromFile: file).resume()
  case "stream": session.uploadTask(withStreamedRequest: request).resume()
  default: session.dataTask(with: request).resume()
  }
  counter.ended.wait()
  return counter
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let url = URL(string: arguments[2]), let bytes = Int(arguments[3]) else { exit(64) }
let observer = Observer()
NetworkInterception.shared.add(observer)
let small = arguments[1] == "download" ? url.deletingLastPathComponent().appendingPathComponent("1000") : url
_ = run(arguments[1], small, 1000)
let before = peak()
let counter = run(arguments[1], url, bytes)
print(#"{"before":\#(before),"after":\#(peak()),"received":\#(counter.received),"sent":\#(counter.sent)}"#)
exit(counter.failure == nil ? 0 : 1)
