import Foundation
import NIOCore
import NIOHTTP1

@testable import AutoMobileCollector

/// What those answer to whom the collector sends by itself: mail servers, and receivers of what is forwarded.
enum AnswerFuzz {
  // MARK: Mail

  private struct Talk: Equatable {
    var replies: [SMTPReply] = []
    var isReadable = true
    var hasRest = false
  }

  /// What a mail server says, in pieces as it comes.
  static func mail(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let whole = talk([ByteBuffer(bytes: bytes)], expect)
    let step = max(Int(bytes.first ?? 1) % 64, 1)
    let pieces = stride(from: 0, to: bytes.count, by: step).map {
      ByteBuffer(bytes: bytes[$0..<min($0 + step, bytes.count)])
    }
    expect(talk(pieces, expect) == whole, "replies are the same in whatever pieces they come")
    for reply in whole.replies {
      expect((200..<600).contains(reply.code) && (1...100).contains(reply.lines.count), "a reply has an end")
      expect(reply.text.utf8.count <= 300 && !reply.text.hasControlCharacters, "what is shown of it is one short line")
      // What was no UTF-8 has become longer, and may be too long by now.
      guard reply.lines.allSatisfy({ $0.utf8.count <= 2000 }) else { continue }
      let last = reply.lines.count - 1
      let lines = reply.lines.enumerated().map { "\(reply.code)\($0.offset < last ? "-" : " ")\($0.element)\r\n" }
      let again = talk([ByteBuffer(string: lines.joined())], expect)
      expect(again == Talk(replies: [reply]), "a reply is read as it is written")
    }
  }

  private static func talk(_ pieces: [ByteBuffer], _ expect: (Bool, String) -> Void) -> Talk {
    var talk = Talk()
    var replies = SMTPReplies()
    do {
      for piece in pieces {
        replies.add(piece)
        while let reply = try replies.next() { talk.replies.append(reply) }
      }
      talk.hasRest = !replies.isEmpty
    } catch SMTPError.unreadable {
      talk.isReadable = false
    } catch {
      expect(false, "only what cannot be read is thrown, not \(error)")
    }
    return talk
  }

  // MARK: Receivers

  private static let statuses = [200, 202, 301, 400, 401, 404, 413, 429, 500, 503]
  private static let types = [
    nil, "application/x-protobuf", "application/json", "text/html", "text/plain; charset=utf-8",
  ]
  private static let secret = "the-key-4711"

  /// The first byte says the status, the second the type of what follows and whether it is all; the body can say `Retry-After`, too.
  static func receiver(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    guard bytes.count >= 2 else { return }
    let status = statuses[Int(bytes[0]) % statuses.count]
    var headers = HTTPHeaders()
    if let type = types[Int(bytes[1] & 0x7F) % types.count] { headers.add(name: "Content-Type", value: type) }
    let content = bytes.dropFirst(2)
    headers.add(name: "Retry-After", value: String(decoding: content.prefix(40), as: UTF8.self))
    let answer = EgressAnswer(
      status: status, headers: headers, body: ByteBuffer(bytes: content), isWhole: bytes[1] & 0x80 == 0)
    for signal in ForwardSignal.allCases {
      let outcome = ForwardAnswer(answer: answer, signal: signal, records: 10, secrets: [secret]).outcome
      var said: String?
      switch outcome {
      case .accepted(let rejected, let reason):
        expect((200..<300).contains(status) && answer.isWhole, "only an answer that is whole acknowledges")
        expect((0...10).contains(rejected), "no more is rejected than was sent")
        expect(rejected == 0 || reason != nil, "it is said why")
        said = reason
      case .later(let reason, let after):
        expect(after.map { (0...86_400).contains($0) } ?? true, "one waits for a day at most")
        said = reason
      case .tooLarge(let reason), .refused(let reason), .blocked(let reason):
        expect(!(200..<300).contains(status), "nothing is given up that was taken")
        said = reason
      }
      guard let said else { continue }
      expect(said.utf16.count <= 400 && !said.hasControlCharacters, "what is shown of it is one short line")
      expect(!Data(said.utf8).contains(secret), "it does not repeat what it was sent")
    }
  }
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
