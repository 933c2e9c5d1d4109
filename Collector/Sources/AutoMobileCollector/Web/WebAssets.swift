import AutoMobileJournal
import CWebAssets
import NIOCore

/// The viewer's files, as they were built into the binary.
struct WebAssets: Sendable {
  struct File: Sendable {
    var path: String
    var mediaType: String
    /// Strong, from the contents: a new build of the same file keeps its tag.
    var entityTag: String
    var body: ByteBuffer
    /// The same as gzip, where that is shorter.
    var compressed: ByteBuffer?
  }

  static let embedded = WebAssets()

  private let files: [String: File]

  private init() {
    var files: [String: File] = [:]
    for index in 0..<am_web_asset_count {
      let asset = am_web_assets[index]
      let path = String(cString: asset.path)
      let bytes = UnsafeRawBufferPointer(start: asset.bytes, count: asset.length)
      let checksum = CRC32C.checksum(of: bytes)
      let body = ByteBuffer(bytes: bytes)
      files[path] = File(
        path: path, mediaType: Self.mediaType(of: path),
        entityTag: "\"\(String(checksum, radix: 16))-\(asset.length)\"", body: body,
        compressed: Gzip.compressed(body))
    }
    self.files = files
  }

  var paths: [String] { files.keys.sorted() }

  /// The file at an absolute URL path. Only exact names are known, so nothing outside can be reached by any spelling.
  subscript(path: String) -> File? {
    guard path.first == "/" else { return nil }
    return files[path == "/" ? "index.html" : String(path.dropFirst())]
  }

  private static func mediaType(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json", "map": "application/json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    case "woff2": "font/woff2"
    case "webmanifest": "application/manifest+json"
    default: "application/octet-stream"
    }
  }
}
