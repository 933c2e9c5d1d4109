import HTTPTypes
import Hummingbird

/// Keeps the pages of other origins out. There is no CORS, so none of them can read an answer; this is for what they could
/// do blindly.
enum Origin {
  /// - Throws: ``APIError`` 403.
  static func check(_ request: Request, for word: AccessWord) throws {
    let site = request.headers[.secFetchSite]?.lowercased()
    if site == "cross-site" || site == "same-site" {
      // Following a link to the viewer is fine, and nothing else: a frame is no link, and what a link opens is the page.
      let isLink =
        request.headers[.secFetchMode] == "navigate" && request.headers[.secFetchDest] ?? "document" == "document"
      guard word == .anyone, request.method == .get, isLink else { throw foreign }
      return
    }
    guard let origin = request.headers[.origin] else { return }
    guard let slashes = origin.range(of: "://"), let authority = request.head.authority,
      origin[slashes.upperBound...] == authority
    else { throw foreign }
  }

  private static let foreign = APIError(
    .forbidden, "foreign_origin", "web pages of other origins may not use the collector")
}
