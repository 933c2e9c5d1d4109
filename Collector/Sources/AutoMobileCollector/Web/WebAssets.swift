import AutoMobileClickHouse
import AutoMobileJournal
import CWebAssets
import NIOCore

/// The viewer's files, as they were built into the binary, and what the page is made of.
struct WebAssets: Sendable {
  struct File: Sendable {
    var path: String
    var mediaType: String
    /// Strong, from the contents: a new build of the same file keeps its tag.
    var entityTag: String
    var body: ByteBuffer
    /// The same as gzip, where that is shorter.
    var compressed: ByteBuffer?
    /// Its address changes with its contents.
    var isImmutable: Bool

    init(_ path: String, _ body: ByteBuffer, isImmutable: Bool = false, isCompressed: Bool = true) {
      self.path = path
      self.body = body
      self.isImmutable = isImmutable
      let checksum = body.withUnsafeReadableBytes { CRC32C.checksum(of: $0) }
      mediaType = WebAssets.mediaType(of: path)
      entityTag = "\"\(String(checksum, radix: 16))-\(body.readableBytes)\""
      compressed = isCompressed ? Gzip.compressed(body) : nil
    }
  }

  static let embedded = WebAssets(sources: Self.builtIn)

  /// The files of Collector/Web: `/` is joined of them, and developer tools ask for them.
  static let builtIn: [String: ByteBuffer] = {
    var files: [String: ByteBuffer] = [:]
    for index in 0..<am_web_asset_count {
      let asset = am_web_assets[index]
      files[String(cString: asset.path)] = ByteBuffer(
        bytes: UnsafeRawBufferPointer(start: asset.bytes, count: asset.length))
    }
    return files
  }()

  private var files: [String: File] = [:]
  /// By name the paths of those that have their contents in their address.
  private var current: [String: String] = [:]
  /// Why the page is sent as the files it is written in; nil: it is not.
  private(set) var problem: (any Error)?

  init(sources: [String: ByteBuffer]) {
    for (path, body) in sources { files[path] = File(path, body, isCompressed: false) }
    do {
      let page = try ViewerPage(sources.mapValues { String(buffer: $0) })
      files["index.html"] = File("index.html", ByteBuffer(string: page.html))
      for part in page.parts {
        files[part.path] = File(part.path, ByteBuffer(string: part.contents), isImmutable: true)
        current[part.name] = part.path
      }
    } catch {
      problem = error
    }
  }

  var paths: [String] { files.keys.sorted() }

  /// Where the page's part of this name is: `viewer.js`.
  func path(of name: String) -> String? { current[name] }

  /// The file at an absolute URL path. Only exact names are known, so nothing outside can be reached by any spelling.
  subscript(path: String) -> File? {
    guard path.first == "/" else { return nil }
    return files[path == "/" ? "index.html" : String(path.dropFirst())]
  }

  /// Where that stands now which a page of another version asks for.
  func successor(of path: String) -> String? {
    guard self[path] == nil, let name = ViewerPage.name(of: path.dropFirst()), let now = current[name] else {
      return nil
    }
    return "/" + now
  }

  private static func mediaType(of path: String) -> String {
    path.split(separator: ".").last.flatMap { typesByEnding[String($0)] } ?? otherType
  }

  private static let otherType = "application/octet-stream"
  private static let typesByEnding = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "json": "application/json", "map": "application/json", "svg": "image/svg+xml",
    "png": "image/png", "ico": "image/x-icon", "woff2": "font/woff2", "webmanifest": "application/manifest+json",
  ]

  /// What a file can be, without the character set.
  static var mediaTypes: [String] {
    Set(typesByEnding.values.map { String($0.prefix { $0 != ";" }) } + [otherType]).sorted()
  }
}
