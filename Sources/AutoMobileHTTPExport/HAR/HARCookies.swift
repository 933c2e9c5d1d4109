import Foundation

/// The cookies of a `Cookie` or a `Set-Cookie` header (RFC 6265).
enum HARCookies {
  /// Of a request.
  static func sent(_ header: String) -> [HAREntry.Cookie] {
    header.split(separator: ";").compactMap { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
      guard let name = sides.first, !name.isEmpty else { return nil }
      return HAREntry.Cookie(name: name, value: sides.count > 1 ? sides[1] : "")
    }
  }

  /// Of a response. Several headers have been joined with commas by whoever made a dictionary of them.
  static func received(_ header: String) -> [HAREntry.Cookie] {
    separated(header).compactMap { text in
      var parts = text.split(separator: ";")[...]
      guard let pair = parts.popFirst(), var cookie = sent(String(pair)).first else { return nil }
      for part in parts {
        let sides = part.split(separator: "=", maxSplits: 1).map(trimmed)
        let value = sides.count > 1 ? sides[1] : ""
        switch sides.first?.lowercased() {
        case "path": cookie.path = value
        case "domain": cookie.domain = value
        case "expires": cookie.expires = iso8601(value)
        case "httponly": cookie.httpOnly = true
        case "secure": cookie.secure = true
        case "samesite": cookie._sameSite = value
        default: break
        }
      }
      return cookie
    }
  }

  private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }

  /// A comma begins a new cookie when a name and an equals sign follow; in a date, a day does.
  private static func separated(_ header: String) -> [Substring] {
    var cookies: [Substring] = []
    var rest = header[...]
    var searched = rest.startIndex
    while let comma = rest[searched...].firstIndex(of: ",") {
      searched = rest.index(after: comma)
      let name = rest[searched...].drop { $0 == " " }.prefix { $0 != "=" && $0 != ";" && $0 != "," && $0 != " " }
      guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "=" else { continue }
      cookies.append(rest[..<comma])
      rest = rest[searched...]
    }
    return cookies + [rest]
  }

  /// `Wed, 21 Oct 2015 07:28:00 GMT` as `2015-10-21T07:28:00.000Z`; nil for what is no such date.
  private static func iso8601(_ date: String) -> String? {
    let fields = date.split { " -:,".contains($0) }
    let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    guard fields.count >= 7, let month = months.firstIndex(of: fields[2].lowercased()), let day = Int(fields[1]),
      let year = Int(fields[3]), let hour = Int(fields[4]), let minute = Int(fields[5]), let second = Int(fields[6]),
      (1...31).contains(day), (0...9999).contains(year), (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second)
    else { return nil }
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let full = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
    return "\(digits(full, 4))-\(digits(month + 1))-\(digits(day))"
      + "T\(digits(hour)):\(digits(minute)):\(digits(second)).000Z"
  }
}
