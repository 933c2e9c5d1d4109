import NIOCore

/// Asks the API. The tools have no other way to what was recorded, so they can read and do exactly what whoever calls them
/// may: the same routes, keys, limits and deadlines as for everybody.
package protocol Questions: Sendable {
  /// - Throws: when nobody answers. An answer that is a refusal is an answer.
  func ask(_ question: Question) async throws -> QuestionAnswer
}

package struct Question: Sendable {
  package enum Method: String, Sendable { case get = "GET", post = "POST", put = "PUT" }

  package var method = Method.get
  /// Percent-encoded, with its query.
  package var target: String
  /// JSON.
  package var body: ByteBuffer?
}

package struct QuestionAnswer: Sendable {
  package var status: Int
  package var body: ByteBuffer
  /// The body is gzip.
  package var isCompressed: Bool

  package init(status: Int, body: ByteBuffer, isCompressed: Bool) {
    self.status = status
    self.body = body
    self.isCompressed = isCompressed
  }
}
