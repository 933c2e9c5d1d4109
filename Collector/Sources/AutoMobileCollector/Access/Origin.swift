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

  /// What a browser sends along with its cookie is the viewer's own: the page says so in a header that no form and no link
  /// can send, and the browser says that the page is of this origin. ``check(_:for:)`` has compared an `Origin` that is there.
  ///
  /// - Throws: ``APIError`` 403.
  static func checkViewer(_ request: Request) throws {
    let isOwn =
      request.headers[.secFetchSite].map { $0.lowercased() == "same-origin" } ?? (request.headers[.origin] != nil)
    guard isOwn, request.headers[.xAutoMobileViewer] != nil else {
      throw APIError(
        .forbidden, "not_from_viewer",
        "with a session's cookie, changes come from the viewer's own page only: programs use a key")
    }
  }

  private static let foreign = APIError(
    .forbidden, "foreign_origin", "web pages of other origins may not use the collector")
}
