import AutoMobileHTTP
import Foundation
import Hummingbird

/// `/api/network/{id}/resend`: a recorded request once more, from here; and where that is allowed.
struct ResendRoutes: Sendable {
  let requests: any RequestReading
  let resender: Resender

  func add(to routes: RouteTable) {
    routes.get("/api/resend", for: .reader) { _, _, scope in
      var json = JSONOutput()
      json.object {
        $0.array("hosts") { for name in scope.seesEverything ? resender.targets.names : [] { $0.string(name) } }
      }
      return json.response()
    }
    routes.post("/api/network/{id}/resend", for: .operator) { request, context, scope in
      try await resend(request, context, scope)
    }
  }

  private func resend(_ request: Request, _ context: CollectorContext, _ scope: OperatorScope) async throws -> Response
  {
    let (event, frames, _) = try await requests.exchange(scope.reading, context.event)
    let (exchange, _) = ExchangeReader.exchange(event, frames)
    do {
      return Self.answer(try await resender.send(exchange, by: context.author(request)))
    } catch let refusal as ResendTargets.Refusal {
      throw APIError(.forbidden, "not_sent", "the request was not sent: \(refusal.reason)")
    } catch let error as APIError {
      throw error
    } catch {
      throw APIError(.badGateway, "no_answer", "the request was sent, but no response arrived: \(error)")
    }
  }

  private static func answer(_ answer: Resender.Answer) -> Response {
    var json = JSONOutput()
    json.object {
      $0.member("statusCode", Int64(answer.status))
      $0.member("durationMs", number: answer.durationMs)
      $0.object("responseHeaders") {
        // Of a name that stands several times one line, as recorders write it.
        let names = Dictionary(grouping: answer.headers) { $0.name.lowercased() }
        for (_, fields) in names.sorted(by: { $0.key < $1.key }) {
          $0.member(fields[0].name, fields.map(\.value).joined(separator: ", "))
        }
      }
      let text = answer.body.text
      $0.member("responseBody", text ?? answer.body.bytes?.base64EncodedString())
      if text == nil { $0.member("responseBodyEncoding", "base64") }
      $0.member("responseBodySize", Int64(answer.body.size))
      $0.array("withheld") { for name in answer.withheld { $0.string(name) } }
    }
    return json.response()
  }
}
