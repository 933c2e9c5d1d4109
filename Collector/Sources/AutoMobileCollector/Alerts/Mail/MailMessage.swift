import Foundation

/// An alert as a mail: RFC 5322 and MIME, plain text and HTML.
struct MailMessage {
  let id: String
  let from: String
  let to: [String]
  let subject: String
  let text: String
  let html: String
  /// Milliseconds since 1970.
  let date: Int64
  /// By which mail programs put what belongs together into one conversation.
  let thread: String

  init(_ alert: Alert, link: String?, id: String, mail: AlertChannel.Mail) {
    self.id = id
    (from, to) = (mail.from, mail.to)
    subject = AlertShape.cut(AlertShape.mark(alert) + alert.title, 180)
    (date, thread) = (alert.at, alert.thread)
    var lines = [alert.title, "", alert.text, ""] + alert.facts.map { "\($0.name): \($0.value)" }
    if let link { lines += ["", link] }
    text = (lines + ["", "--", AlertShape.footer(alert)]).joined(separator: "\n")
    html = Self.html(alert, link)
  }

  private static func html(_ alert: Alert, _ link: String?) -> String {
    let rows = alert.facts.map {
      "<tr><td style=\"padding:2px 16px 2px 0;color:#5b6b7f\">\(escaped($0.name))</td><td style=\"padding:2px 0\">\(escaped($0.value))</td></tr>"
    }
    let button = link.map {
      "<p><a href=\"\(escaped($0))\" style=\"display:inline-block;padding:10px 16px;border-radius:8px;background:#2457c5;color:#ffffff;text-decoration:none\">Open in AutoMobile</a></p>"
    }
    return """
      <!doctype html><html><body style="font:15px/1.5 -apple-system,Segoe UI,Roboto,sans-serif;color:#1b2430">
      <h2 style="font-size:18px;margin:0 0 8px">\(escaped(AlertShape.mark(alert) + alert.title))</h2>
      <p style="margin:0 0 12px">\(escaped(alert.text))</p>
      <table style="border-collapse:collapse;font-size:14px">\(rows.joined(separator: "\n"))</table>
      \(button ?? "")
      <p style="color:#5b6b7f;font-size:13px">\(escaped(AlertShape.footer(alert)))</p></body></html>
      """
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }

  /// With CRLF; every line is short, and none holds anything but ASCII: contents are base64.
  ///
  /// - Parameter domain: of the sender, behind the message's id.
  var lines: [String] {
    let domain = from.split(separator: "@").last ?? "automobile.invalid"
    let boundary = "automobile-" + SHA256.hex(Array(id.utf8)).prefix(24)
    var lines = [
      "From: AutoMobile <\(from)>", "To: \(to.joined(separator: ",\r\n "))", "Subject: \(Self.encoded(subject))",
      "Date: \(Self.date(date))", "Message-ID: <\(id)@\(domain)>",
      "References: <\(SHA256.hex(Array(thread.utf8)).prefix(32))@\(domain)>",
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
      "Content-Type: multipart/alternative;\r\n boundary=\"\(boundary)\"", "",
    ].flatMap { $0.components(separatedBy: "\r\n") }
    for (type, content) in [("plain", text), ("html", html)] {
      lines += [
        "--\(boundary)", "Content-Type: text/\(type); charset=utf-8", "Content-Transfer-Encoding: base64", "",
      ]
      lines += Self.base64(content)
    }
    return lines + ["--\(boundary)--"]
  }

  private static func base64(_ text: String) -> [String] {
    let all = Data(text.replacing("\n", with: "\r\n").utf8).base64EncodedString()
    var lines: [String] = []
    var rest = Substring(all)
    while !rest.isEmpty {
      lines.append(String(rest.prefix(76)))
      rest = rest.dropFirst(76)
    }
    return lines
  }

  /// A header's text as encoded words (RFC 2047), folded: always, so that nothing in it can be a header's end.
  static func encoded(_ text: String) -> String {
    var words: [String] = []
    var part = ""
    for character in text {
      // A line with a word has at most 76 characters, the header's name and the space before it included: 39 bytes of content.
      if (part + String(character)).utf8.count > 39, !part.isEmpty {
        words.append(part)
        part = ""
      }
      // One character can be a hundred scalars long; nobody misses the rest.
      part.append(String(character).utf8.count > 39 ? "?" : character)
    }
    words.append(part)
    return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
  }

  private static func date(_ milliseconds: Int64) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
    return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }
}
