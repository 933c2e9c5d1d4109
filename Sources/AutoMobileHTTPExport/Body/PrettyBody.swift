import AutoMobileHTTP
import Foundation

/// A body as people read it: JSON and XML in lines, forms as a list, binary as a dump.
///
/// Text that is not what its media type says is kept as it is. Time and memory are bounded by the limit, whatever the body
/// holds.
///
///     let pretty = PrettyBody(exchange.responseBody, type: exchange.responseMediaType)
///     print(pretty.text, pretty.remark ?? "")
public struct PrettyBody: Sendable, Equatable {
  public enum Kind: String, Sendable {
    case json, xml, form, text, image, binary
    /// There was no body, or it was not captured.
    case none
  }

  public var kind: Kind
  public var text: String
  /// What the text does not show, in words; nil when it shows everything.
  public var remark: String?

  /// - Parameters:
  ///   - body: nil: there was none, or nothing is known of it.
  ///   - type: the body's media type; without one it is guessed.
  ///   - limit: roughly the most bytes of ``text``.
  public init(_ body: HTTPBody?, type: MediaType?, limit: Int = 1 << 20) {
    (kind, text) = (.none, "")
    guard let body, body.size > 0 || body.bytes?.isEmpty == false else { return }
    guard let bytes = body.bytes else {
      remark = "The body of \(ByteCount.text(body.size)) was not captured."
      return
    }
    if body.isTruncated {
      remark = "Truncated: the first \(ByteCount.text(bytes.count)) of \(ByteCount.text(body.size)) were captured."
    }
    guard let plain = body.text(type) else {
      kind = type?.isImage == true ? .image : .binary
      text = HexDump.text(bytes)
      if bytes.count > HexDump.maximum { note("Only the first \(HexDump.maximum) bytes are shown.") }
      return
    }
    show(plain, type, isTruncated: body.isTruncated, limit: limit)
  }

  private mutating func show(_ plain: String, _ type: MediaType?, isTruncated: Bool, limit: Int) {
    let bytes = Array(plain.utf8)
    let first = bytes.first { $0 > 0x20 }
    let isVague = type == nil || type?.essence == "text/plain" || type?.essence == "application/octet-stream"
    let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if type?.isJSON == true || isVague && looksLikeJSON,
      let json = PrettyJSON.text(bytes, isTruncated: isTruncated, limit: limit)
    {
      take(.json, json, limit)
    } else if type?.isXML == true || isVague && first == UInt8(ascii: "<"),
      let xml = PrettyXML.text(bytes, isTruncated: isTruncated, limit: limit)
    {
      take(.xml, xml, limit)
    } else if type?.isForm == true {
      let lines = FormFields.parse(plain).lazy.map { "\($0.name) = \($0.value)" }
      take(.form, (Array(lines.joined(separator: "\n").utf8), true), limit)
    } else {
      take(.text, (bytes, true), limit)
    }
  }

  private mutating func take(_ kind: Kind, _ result: (text: [UInt8], isWhole: Bool), _ limit: Int) {
    self.kind = kind
    text = String(decoding: result.text.prefix(max(0, limit)), as: UTF8.self)
    if !result.isWhole || result.text.count > limit { note("Only the beginning is shown.") }
  }

  private mutating func note(_ words: String) {
    remark = remark.map { "\($0) \(words)" } ?? words
  }
}
