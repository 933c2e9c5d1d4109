import AutoMobileHTTP
import AutoMobileSupport
import Foundation

// Bodies, and the headers and sizes that tell of them, as HAR writes them.
extension HAREntry.PostData {
  /// Nil when there was no body, or nothing is known of it.
  init?(_ body: HTTPBody?, type: MediaType?, header: String?) {
    guard let body, body.size > 0 || body.bytes?.isEmpty == false else { return nil }
    mimeType = header ?? "application/octet-stream"
    comment = HAREntry.remark(on: body)
    guard let bytes = body.bytes else {
      text = ""
      return
    }
    if let text = body.text(type) {
      self.text = text
      if type?.isForm == true { params = FormFields.parse(text).map { Parameter(name: $0.name, value: $0.value) } }
    } else {
      text = bytes.base64EncodedString()
      _encoding = "base64"
    }
    if type?.isMultipartForm == true, let boundary = type?.parameters["boundary"] {
      params =
        MultipartForm(bytes, boundary: boundary)?.parts.map {
          Parameter(
            name: $0.name, value: $0.fileName == nil ? $0.text : nil, fileName: $0.fileName,
            contentType: $0.contentType)
        } ?? []
    }
  }
}

extension HAREntry.Content {
  init(_ body: HTTPBody?, type: MediaType?, header: String?) {
    mimeType = header ?? "x-unknown"
    guard let body else { return }
    size = max(0, body.size)
    comment = HAREntry.remark(on: body)
    guard let bytes = body.bytes else { return }
    if let text = body.text(type) {
      self.text = text
    } else {
      text = bytes.base64EncodedString()
      encoding = "base64"
    }
  }
}

extension HAREntry {
  /// What is to be known of a body that is not whole.
  fileprivate static func remark(on body: HTTPBody) -> String? {
    guard body.isTruncated else { return nil }
    guard let bytes = body.bytes else { return "The body of \(body.size) bytes was not captured." }
    return "Truncated: the first \(bytes.count) of \(body.size) bytes were captured."
  }

  /// Sorted by name: a dictionary has no order, and a file should be the same each time.
  static func headers(_ headers: [String: String]?) -> [NameValue] {
    (headers ?? [:]).ordered { $0.key < $1.key }.map { NameValue(name: $0.key, value: $0.value) }
  }

  /// The size of a response's body on the wire, where the headers tell it: what was recorded is the size after
  /// decompression. -1 when it is not known.
  static func bodySize(of exchange: HTTPExchange) -> Int {
    if exchange.transport?.isCached == true { return 0 }
    if let length = exchange.responseHeaders?.value(of: "Content-Length").flatMap({ Int($0) }), length >= 0 {
      return length
    }
    guard let body = exchange.responseBody else { return -1 }
    let encoding = exchange.responseHeaders?.value(of: "Content-Encoding") ?? "identity"
    return encoding.lowercased() == "identity" ? max(0, body.size) : -1
  }
}
