import Foundation

/// What an S3 store's errors mean for whoever runs the collector.
enum S3Refusal {
  /// Nil when the answer is one that its caller understands: a success, 404 of an object, 412, 416.
  static func error(_ answer: S3Client.Answer, to client: S3Client) -> BlobError? {
    let place = client.settings.mark
    // What a success brings is a blob, not a document.
    guard !(200..<300).contains(answer.status) else { return nil }
    let code = answer.code ?? ""
    func refused(_ text: String) -> BlobError { BlobError(.refused, "\(place): \(text)") }
    func ofKey(_ text: String) -> BlobError {
      refused(text + (client.keys.problem.map { " (\($0), so the key before is in use)" } ?? ""))
    }
    switch (answer.status, code) {
    case (412, _), (416, _): return nil
    case (404, "NoSuchBucket"): return refused("there is no bucket \(client.settings.bucket): make it, or name another")
    case (404, _): return nil
    case (409, "ConditionalRequestConflict"), (409, "OperationAborted"):
      return BlobError(.unavailable, "\(place): somebody puts the same blob at this moment")
    case (408, _), (429, _), (500..., _), (_, "SlowDown"), (_, "RequestTimeout"), (_, "InternalError"):
      return BlobError(.unavailable, "\(place) is busy or in trouble: it says \(answer.status) \(code)")
    case (_, "RequestTimeTooSkewed"), (_, "RequestExpired"):
      return refused(
        "this machine's clock is \(skew(answer, client)): set it (NTP); the store takes no request that is 15 minutes off"
      )
    case (_, "InvalidAccessKeyId"):
      return ofKey("the store does not know the access key: look at \(client.keys.words)")
    case (_, "SignatureDoesNotMatch"):
      return ofKey("the secret key does not fit the access key: look at \(client.keys.words)")
    case (_, "ExpiredToken"), (_, "InvalidToken"), (_, "TokenRefreshRequired"):
      return ofKey("the session token has ended: write new credentials into \(client.keys.words)")
    case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"):
      let region = answer.headers.first(name: "x-amz-bucket-region").map { "region=\($0)" } ?? "region=…"
      return refused("the bucket is in another region or at another endpoint: add \(region)")
    case (403, _):
      return ofKey(
        "the key may not do this (\(code.isEmpty ? "403" : code)): it must read, write and delete below the prefix")
    default: return refused("the store says \(answer.status) \(String(code.prefix(80)))")
    }
  }

  /// Whether another key may be taken: of a `HEAD` nothing says why, and stores have many words for a key that has ended.
  static func isOfKey(_ answer: S3Client.Answer) -> Bool { [400, 401, 403].contains(answer.status) }

  private static func skew(_ answer: S3Client.Answer, _ client: S3Client) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let theirs = answer.headers.first(name: "Date").flatMap(formatter.date(from:)) else { return "wrong" }
    let seconds = Int(client.clock().timeIntervalSince(theirs))
    return "\(abs(seconds) / 60) minutes \(seconds > 0 ? "ahead" : "behind") of the store's"
  }
}
