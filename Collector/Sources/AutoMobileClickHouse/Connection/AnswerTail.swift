import NIOCore
import NIOHTTP1

/// Exceptions in answers that began well. The status was 200 when the first rows were sent; what went wrong afterwards stands
/// in a header, or behind the rows.
enum AnswerTail {
  /// As far back as an exception is looked for.
  private static let reach = 16 << 10

  /// - Parameter isSuspicious: the answer cannot be what was asked for. Only then is the bare text of an exception at the end of
  ///   it taken for one: an app can have logged the same, and its session must be readable. Questions are asked so that the
  ///   server waits until it has the whole answer, and no sound answer has one.
  static func exception(in body: ByteBuffer, _ headers: HTTPHeaders, isSuspicious: Bool) -> ServerException? {
    if let text = headers.first(name: "X-ClickHouse-Exception-Code"), let code = Int(text), code != 0 {
      let spoken = bare(text: end(of: body))
      return spoken?.code == code
        ? spoken : ServerException(code: code, message: "the server stopped in the middle of its answer")
    }
    // The tag is new for each answer, so no row can have it. Releases from 25.11 on.
    if let tag = headers.first(name: "X-ClickHouse-Exception-Tag"), tag.utf8.count >= 8 {
      let text = end(of: body)
      if let closing = text.place(of: "\(tag)\r\n__exception__\r\n", isLast: true), closing.upperBound == text.endIndex,
        let opening = text.place(of: "__exception__\r\n\(tag)\r\n"), opening.upperBound <= closing.lowerBound
      {
        return ServerException(text[opening.upperBound..<closing.lowerBound])
          ?? ServerException(code: 0, message: "the server stopped in the middle of its answer")
      }
    }
    return isSuspicious ? bare(text: end(of: body)) : nil
  }

  private static func end(of body: ByteBuffer) -> String {
    let length = min(reach, body.readableBytes)
    return body.getString(at: body.writerIndex - length, length: length) ?? ""
  }

  private static func bare(text: String) -> ServerException? {
    guard let beginning = text.place(of: "Code: ", isLast: true) else { return nil }
    return ServerException(text[beginning.lowerBound...])
  }
}
