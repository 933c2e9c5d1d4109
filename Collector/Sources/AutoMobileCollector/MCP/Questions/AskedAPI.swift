import Foundation
import NIOCore

/// The API, as tools ask it: paths from their parts, answers as JSON, refusals as errors.
struct AskedAPI: Sendable {
  let questions: any Questions
  /// Where its viewer is; nil when there is none.
  let viewer: ViewerAddress?

  /// What the API said in the place of an answer. The message may repeat what was recorded.
  struct Refusal: Error {
    var status: Int
    var code: String
    var message: String
  }

  /// The longest answer that is looked at, in bytes.
  private static let longest = 16 << 20

  func get(_ path: [String], _ query: [(String, String?)] = []) async throws -> JSONTree {
    try tree(try await bytes(path, query))
  }

  func post(_ path: [String], _ body: JSONTree) async throws -> JSONTree { try await send(.post, path, body) }
  func put(_ path: [String], _ body: JSONTree) async throws -> JSONTree { try await send(.put, path, body) }

  private func send(_ method: Question.Method, _ path: [String], _ body: JSONTree) async throws -> JSONTree {
    let question = Question(method: method, target: Self.target(path, []), body: ByteBuffer(string: body.text))
    return try tree(try await answer(to: question))
  }

  /// The body as it is, unpacked.
  func bytes(_ path: [String], _ query: [(String, String?)] = []) async throws -> ByteBuffer {
    try await answer(to: Question(target: Self.target(path, query)))
  }

  private func answer(to question: Question) async throws -> ByteBuffer {
    let answer = try await questions.ask(question)
    guard answer.status == 200 else { throw Self.refusal(answer) }
    guard answer.isCompressed else { return answer.body }
    do {
      return try Inflater.gunzip(answer.body, limit: Self.longest)
    } catch {
      throw ToolError("this part of the replay is damaged, or too large to be looked at here")
    }
  }

  private func tree(_ body: ByteBuffer) throws -> JSONTree {
    guard let tree = try? body.withUnsafeReadableBytes({ try JSONTree(checking: $0, maximumDepth: 128) }) else {
      throw Refusal(status: 502, code: "no_json", message: "the answer is no JSON: is it an AutoMobile collector?")
    }
    return tree
  }

  private static func refusal(_ answer: QuestionAnswer) -> Refusal {
    let tree = try? answer.body.withUnsafeReadableBytes { try JSONTree(checking: $0, maximumDepth: 16) }
    return Refusal(
      status: answer.status, code: tree?["error"]?["code"]?.string ?? "",
      message: tree?["error"]?["message"]?.string ?? "the collector answered \(answer.status)")
  }

  // MARK: Addresses

  private static func target(_ path: [String], _ query: [(String, String?)]) -> String {
    let items = query.compactMap { name, value in value.map { "\(name.percentEncoded)=\($0.percentEncoded)" } }
    return "/" + path.map(\.percentEncoded).joined(separator: "/")
      + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// How a moment is cited; nil when there is no viewer.
  func link(session: String, event: JSONTree? = nil) -> String? {
    viewer.map {
      $0.text + "/#/sessions/" + session.percentEncoded + (event?.words.map { "?event=" + $0.percentEncoded } ?? "")
    }
  }

  func link(issue: String) -> String? { viewer.map { $0.text + "/#/issues/" + issue.percentEncoded } }

  /// How links are made of what stands in a list.
  var linkTemplate: OwnWords {
    guard let viewer else { return "There is no viewer beside this data; `automobile serve` has one." }
    return "Cite a moment as \(viewer)/#/sessions/SESSION?event=EVENT"
  }
}
