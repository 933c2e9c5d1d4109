import HTTPTypes
import Hummingbird

/// Who somebody is, by what they present.
enum Visitor: Sendable {
  /// Nothing was presented.
  case nobody
  /// Something was presented that is not known, or not good any more.
  case stranger
  /// One of the keys that the collector was started with.
  case starter(isOperator: Bool)
  /// A key that an operator made.
  case key(AccessKey)
  /// Somebody who has signed in, by their browser's cookie.
  case person(PersonSession)
  /// A device with a token for one app.
  case device(UploadTokens.Claim)

  var key: AccessKey? {
    if case .key(let key) = self { key } else { nil }
  }

  var session: PersonSession? {
    if case .person(let session) = self { session } else { nil }
  }

  /// The number of the key that operators made, or that a token was given out for.
  var keyNumber: Int64? {
    switch self {
    case .key(let key): key.id
    case .device(let claim): claim.key
    case .nobody, .stranger, .starter, .person: nil
    }
  }

  /// What a request presents, wherever it stands; a cookie is no key.
  static func presented(_ request: Request) -> String? {
    let bearer = request.headers[.authorization].flatMap { field -> Substring? in
      field.lowercased().hasPrefix("bearer ") ? field.dropFirst(7) : nil
    }
    return bearer.map(String.init) ?? request.headers[.xAPIKey] ?? request.headers[.xPublicKey]
  }
}

/// A secret that is compared in a time that depends on nothing but lengths.
struct IngestKey: Sendable {
  private let bytes: [UInt8]

  init(_ key: String) { bytes = Array(key.utf8) }

  func matches(_ other: String) -> Bool {
    let other = Array(other.utf8)
    var difference = UInt64(bitPattern: Int64(bytes.count ^ other.count))
    for index in bytes.indices {
      let byte = index < other.count ? other[index] : 0
      difference |= UInt64(bytes[index] ^ byte)
    }
    return difference == 0
  }
}

extension [IngestKey] {
  /// All are compared, so that the time says nothing about which one was close.
  func match(_ presented: String) -> Bool { reduce(false) { $1.matches(presented) || $0 } }
}
