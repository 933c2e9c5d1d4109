import AutoMobileHTTP
import Foundation

/// A recorded request as a call of `fetch`, for a browser's console or Node.
package enum FetchExport {
  package static func call(_ exchange: HTTPExchange) -> String {
    let request = RepeatableRequest(exchange)
    var remarks = request.obstacles
    if !request.redacted.isEmpty {
      remarks.append(
        "redacted when it was recorded, fill in the real values: \(request.redacted.joined(separator: ", "))")
    }
    var members = ["  \"method\": \(literal(request.method))"]
    let headers = request.headers + request.redacted.map { ($0, HTTPRedaction.mark) }
    if !headers.isEmpty {
      let lines = headers.map { "    \(literal($0.name)): \(literal($0.value))" }
      members.append("  \"headers\": {\n\(lines.joined(separator: ",\n"))\n  }")
    }
    if let body = request.body {
      if ["GET", "HEAD"].contains(request.method) {
        remarks.append("fetch sends no body with \(request.method): the recorded one is left out")
      } else if let text = String(bytes: body, encoding: .utf8) {
        members.append("  \"body\": \(literal(text))")
      } else {
        members.append(
          "  \"body\": Uint8Array.from(atob(\"\(body.base64EncodedString())\"), (byte) => byte.charCodeAt(0))")
      }
    }
    let notes = remarks.map { "// \(line($0))\n" }.joined()
    return notes + "await fetch(\(literal(request.url)), {\n\(members.joined(separator: ",\n"))\n});"
  }

  /// A text as JavaScript has it, in ASCII: nothing ends it early, and nothing in it is obeyed where it is shown or pasted.
  private static func literal(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x0A: result += "\\n"
      case 0x0D: result += "\\r"
      case 0x09: result += "\\t"
      // `</script>` would end a script in a page.
      case 0x3C: result += "\\u003c"
      case 0x20..<0x7F: result.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }

  /// For a comment: on one line, in ASCII.
  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? $0 : "?" }))
  }
}
