import AsyncHTTPClient
import AutoMobileCollector
import Foundation
import NIOCore
import NIOHTTP1

/// Asks a collector over the network.
extension CollectorClient: Questions {
  package func ask(_ question: Question) async throws -> QuestionAnswer {
    var request = request(question.target, [])
    request.method = HTTPMethod(rawValue: question.method.rawValue)
    if let body = question.body {
      request.headers.add(name: "Content-Type", value: "application/json")
      request.body = .bytes(body)
    }
    let answer = try await raw(request, timeout: timeout)
    return QuestionAnswer(
      status: answer.status, body: answer.body, isCompressed: answer.headers.first(name: "Content-Encoding") == "gzip")
  }
}
