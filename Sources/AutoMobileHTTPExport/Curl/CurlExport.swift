import AutoMobileHTTP
import AutoMobileSupport
import Foundation

/// An exchange's request as a command line for `curl`, which a POSIX shell runs as it stands.
///
///     # redacted when it was recorded, fill in the real values: Authorization
///     curl 'https://api.example.com/v1/me' \
///       -H 'Authorization: REDACTED'
///
/// The request has the same method, URL, headers and body bytes, whatever stands in them. What cannot be the same is said in
/// comments before the command.
public enum CurlExport {
  /// Beyond, a body goes through a pipe: systems limit how long an argument may be (Linux: 128 KiB).
  private static let longestArgument = 32 * 1024
  /// Beyond, curl asks the server whether it may send the body.
  private static let expectThreshold = 1024

  public static func command(_ exchange: HTTPExchange) -> String {
    var remarks: [String] = []
    var words: [String] = []
    let body = exchange.requestBody.flatMap { $0.bytes?.isEmpty == false ? $0.bytes : nil }

    words += method(of: exchange, hasBody: body != nil, &remarks)
    if !exchange.redirects.isEmpty { words.append("--location") }
    words += headers(of: exchange, hasBody: body != nil, &remarks)
    var pipe = ""
    if let body {
      if body.count > expectThreshold { words.append("-H 'Expect:'") }
      if let text = plainText(body) {
        words.append("--data-raw \(ShellWord.quoted(text))")
      } else {
        pipe = "printf \(ShellWord.printfFormat(body)) | "
        words.append("--data-binary @-")
      }
    }
    note(exchange, &remarks)
    let command = ([pipe + "curl " + address(exchange.url)] + words).joined(separator: " \\\n  ")
    return (remarks.map { "# \($0)" } + [command]).joined(separator: "\n")
  }

  private static func address(_ url: String) -> String {
    var options = ""
    // curl reads brackets as patterns, and shortens paths.
    if url.utf8.contains(where: "[]{}".utf8.contains) { options += "--globoff " }
    if url.contains("/.") { options += "--path-as-is " }
    let isPlain = url.lowercased().hasPrefix("http://") || url.lowercased().hasPrefix("https://")
    return options + (isPlain ? "" : "--url ") + ShellWord.quoted(url)
  }

  /// Nothing where curl picks the same method of its own accord.
  private static func method(of exchange: HTTPExchange, hasBody: Bool, _ remarks: inout [String]) -> [String] {
    let method = exchange.method
    switch method {
    case "GET" where !hasBody, "POST" where hasBody: return []
    case "HEAD" where !hasBody: return ["--head"]
    case _ where HTTPToken.isValid(method): return ["-X \(ShellWord.quoted(method))"]
    default:
      remarks.append("the recorded method is not one that HTTP allows")
      return []
    }
  }

  private static func headers(of exchange: HTTPExchange, hasBody: Bool, _ remarks: inout [String]) -> [String] {
    let recorded = (exchange.requestHeaders ?? [:]).ordered { $0.key < $1.key }
    var words: [String] = []
    var skipped = 0
    for (name, value) in recorded {
      // Of the body as it is sent now, curl knows better.
      if ["content-length", "transfer-encoding"].contains(name.lowercased()) { continue }
      guard HTTPToken.isValid(name), HTTPToken.isHeaderValue(value) else {
        skipped += 1
        continue
      }
      words.append("-H " + ShellWord.quoted(isBlank(value) ? "\(name);" : "\(name): \(value)"))
    }
    if skipped > 0 { remarks.append("left out: \(skipped) header(s) that HTTP does not allow") }
    if exchange.requestHeaders?.value(of: "Accept-Encoding") != nil { words.append("--compressed") }
    // Else curl would say that it is a form.
    if hasBody, exchange.requestHeaders?.value(of: "Content-Type") == nil {
      words.append("-H 'Content-Type:'")
    }
    return words
  }

  /// A header without a value: after a colon, curl would leave it out.
  private static func isBlank(_ value: String) -> Bool { value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

  /// What an argument can hold, and a terminal that it is pasted into takes as it is; nil for everything else.
  private static func plainText(_ body: Data) -> String? {
    guard body.count <= longestArgument, let text = String(bytes: body, encoding: .utf8),
      !text.unicodeScalars.contains(where: ShellWord.isHidden)
    else { return nil }
    return text
  }

  private static func note(_ exchange: HTTPExchange, _ remarks: inout [String]) {
    if let body = exchange.requestBody, body.isTruncated {
      let captured = body.bytes?.count ?? 0
      remarks.append(
        captured == 0
          ? "the request's body, \(body.size) bytes, was not captured"
          : "the request's body was truncated: only the first \(captured) of \(body.size) bytes were captured")
    }
    if exchange.isUnfinished, exchange.method != "GET", exchange.method != "HEAD" {
      remarks.append("recorded when the request began: if it had a body, it is not here")
    }
    let redacted = RedactionMark.places(in: exchange)
    if !redacted.isEmpty {
      remarks.append("redacted when it was recorded, fill in the real values: \(redacted.joined(separator: ", "))")
    }
    if exchange.mockRule != nil { remarks.append("the recorded response came from a mock rule") }
  }
}
