import AutoMobileState
import Hummingbird

/// Makes every failure an answer in JSON, and puts on every answer what browsers need to be told.
struct ErrorAnswers: RouterMiddleware {
  typealias Context = CollectorContext

  func handle(
    _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch {
      response = Self.answer(to: error, request, context).response
    }
    response.headers[.xContentTypeOptions] = "nosniff"
    return response
  }

  private static func answer(to error: any Error, _ request: Request, _ context: CollectorContext) -> APIError {
    switch error {
    case let error as APIError: return error
    case let error as HTTPError where error.status == .notFound:
      return APIError(.notFound, "not_found", "not found: \(request.uri.path)")
    case let error as HTTPError:
      return APIError(error.status, "http_\(error.status.code)", error.body ?? error.status.reasonPhrase)
    case let error as StateError where error.answer != nil:
      context.logger.warning(
        "the state does not answer", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      return error.answer ?? APIError(.serviceUnavailable, "state_unavailable", "")
    case let error as BlobError where error.answer != nil:
      context.logger.warning(
        "the blob store does not give out what was asked for",
        metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      return error.answer ?? APIError(.serviceUnavailable, "blobs_unavailable", "")
    default:
      context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      return APIError(.internalServerError, "internal", "internal error: see the collector's log")
    }
  }
}
