import CAutoMobileZlib
import Foundation
import RequestCatcher

/// A collector's replay routes on the loopback interface, which answers as a test has it.
///
/// Sendable: everything that changes is used under the lock.
final class ReplayServer: @unchecked Sendable {
  struct Answer: Sendable {
    var status = 200
    var body = "{}"
    var headers: [String: String] = [:]
    static func status(_ status: Int) -> Answer { Answer(status: status) }
  }

  enum Step: String, CaseIterable, Sendable { case config, auth, presign, put, complete, end }

  struct Uploaded: Sendable {
    var id: String
    var sessionId: String
    var kind: String
    var startTime: Int64
    var frameCount: Int
    var content: Data
  }

  private struct State {
    var overrides: [Step: [Answer]] = [:]
    var always: [Step: Answer] = [:]
    var presigned: [String: [String: any Sendable]] = [:]
    var put: [String: Data] = [:]
    var uploaded: [Uploaded] = []
    var ends: [[String: any Sendable]] = []
    var steps: [(step: Step, authorization: String?)] = []
    var configuration = "{}"
    var requests: [Data] = []
  }

  private let lock = NSLock()
  private var state = State()
  private var catcher: RequestCatcher?

  static let token = "secret-upload-token-4711"

  init() throws {
    catcher = try RequestCatcher(answering: { [weak self] in self?.answer($0) ?? "" })
  }

  deinit { catcher?.stop() }

  var url: URL { URL(string: "http://127.0.0.1:\(catcher?.port ?? 0)") ?? URL(fileURLWithPath: "/") }

  /// The next answers at a step, before the usual one.
  func next(_ step: Step, _ answers: [Answer]) { withLock { $0.overrides[step, default: []] += answers } }
  /// Every answer at a step; nil: the usual one.
  func always(_ step: Step, _ answer: Answer?) { withLock { $0.always[step] = answer } }
  func configure(_ json: String) { withLock { $0.configuration = json } }

  var uploaded: [Uploaded] { withLock { $0.uploaded } }
  var ends: [[String: any Sendable]] { withLock { $0.ends } }
  /// Everything that was ever sent, heads and bodies, unpacked.
  var requests: [Data] { withLock { $0.requests } }
  var steps: [Step] { withLock { $0.steps.map(\.step) } }
  func authorizations(_ step: Step) -> [String?] {
    withLock { $0.steps.filter { $0.step == step }.map(\.authorization) }
  }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock { body(&state) } }

  private func answer(_ request: RequestCatcher.Caught) -> String {
    let path = request.requestLine.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    let json = (try? JSONSerialization.jsonObject(with: request.body)) as? [String: any Sendable] ?? [:]
    let step: Step
    switch path {
    case "/api/sdk/config": step = .config
    case "/api/ingest/auth/device": step = .auth
    case "/api/ingest/segment/presign": step = .presign
    case "/api/ingest/segment/complete": step = .complete
    case "/api/ingest/session/end": step = .end
    default: step = .put
    }
    let authorization = request.values("Authorization").first.map { String(decoding: $0, as: UTF8.self) }
    let answer = withLock { state -> Answer in
      state.steps.append((step, authorization))
      let head =
        ([request.requestLine] + request.headers.map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))" })
      let body = request.body.prefix(2) == Data([0x1F, 0x8B]) ? gunzip(request.body) : request.body
      state.requests.append(Data(head.joined(separator: "\n").utf8) + body)
      if let answer = state.overrides[step]?.first {
        state.overrides[step]?.removeFirst()
        return answer
      }
      if let answer = state.always[step] { return answer }
      return usual(step, path, json, request.body, &state)
    }
    var head = "HTTP/1.1 \(answer.status) x\r\nContent-Length: \(answer.body.utf8.count)\r\nConnection: close\r\n"
    for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
    return head + "\r\n" + answer.body
  }

  private func usual(
    _ step: Step, _ path: String, _ json: [String: any Sendable], _ body: Data, _ state: inout State
  ) -> Answer {
    switch step {
    case .config: return Answer(body: state.configuration)
    case .auth: return Answer(body: #"{"uploadToken":"\#(Self.token)","expiresIn":3600}"#)
    case .presign:
      let id = json["segmentId"] as? String ?? ""
      state.presigned[id] = json
      if state.uploaded.contains(where: { $0.id == id }) {
        return Answer(body: #"{"skipUpload":true,"reason":"already there"}"#)
      }
      return Answer(body: #"{"uploadUrl":"/put/\#(id)","segmentId":"\#(id)"}"#)
    case .put:
      state.put[String(path.dropFirst(5))] = body
      return Answer(status: 204, body: "")
    case .complete:
      let id = json["segmentId"] as? String ?? ""
      guard let presigned = state.presigned[id], let body = state.put[id] else { return .status(400) }
      state.uploaded.append(
        Uploaded(
          id: id, sessionId: presigned["sessionId"] as? String ?? "", kind: presigned["kind"] as? String ?? "",
          startTime: (presigned["startTime"] as? NSNumber)?.int64Value ?? 0,
          frameCount: (json["frameCount"] as? NSNumber)?.intValue ?? 0, content: gunzip(body)))
      return Answer(body: #"{"success":true,"alreadyCompleted":false}"#)
    case .end:
      state.ends.append(json)
      return Answer(body: #"{"durationSeconds":1}"#)
    }
  }
}

/// What a gzip member holds; empty when it is none.
func gunzip(_ bytes: Data) -> Data {
  var stream = z_stream()
  guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return Data() }
  defer { inflateEnd(&stream) }
  var input = [UInt8](bytes)
  var output = Data()
  var buffer = [UInt8](repeating: 0, count: 65536)
  return input.withUnsafeMutableBufferPointer { input in
    stream.next_in = input.baseAddress
    stream.avail_in = UInt32(input.count)
    while true {
      let code = buffer.withUnsafeMutableBufferPointer { room in
        stream.next_out = room.baseAddress
        stream.avail_out = UInt32(room.count)
        return inflate(&stream, Z_NO_FLUSH)
      }
      output += buffer[..<(buffer.count - Int(stream.avail_out))]
      if code == Z_STREAM_END { return output }
      if code != Z_OK { return Data() }
    }
  }
}
