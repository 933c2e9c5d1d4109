import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// Has the credential: the one that is kept as long as it is valid, else a new one from the collector. Whoever asks while one
/// is being fetched waits for the same.
actor CredentialSource {
  struct Failure: Error, Equatable {
    /// 0: no answer.
    var status: Int
    var reason: String
  }

  private let base: URL
  private let publicKey: String
  private let device: DeviceDescription
  private let store: any CredentialStore
  private let transport: any RequestTransport
  private let now: @Sendable () -> Int64
  private var fetch: Task<Result<String, Failure>, Never>?

  /// A credential that says nothing about its end is asked for again after this, in seconds.
  private static let defaultLife = 3600.0
  private static let longestLife = 30.0 * 86_400

  init(
    base: URL, publicKey: String, device: DeviceDescription, store: any CredentialStore,
    transport: any RequestTransport,
    now: @escaping @Sendable () -> Int64 = Clocks.millisecondsSince1970
  ) {
    self.base = base
    self.publicKey = publicKey
    self.device = device
    self.store = store
    self.transport = transport
    self.now = now
  }

  private var audience: String { DeviceCredential.audience(base: base, publicKey: publicKey, device: device) }

  /// One that is kept and valid; nobody is asked.
  var kept: String? {
    guard let credential = store.read(), credential.audience == audience, credential.isValid(at: now()) else {
      return nil
    }
    return credential.token
  }

  func token() async -> Result<String, Failure> {
    if let kept { return .success(kept) }
    if let fetch { return await fetch.value }
    let new = Task { await self.obtain() }
    fetch = new
    let result = await new.value
    if fetch == new { fetch = nil }
    return result
  }

  /// The collector does not take it any more.
  func forget(_ token: String) {
    if store.read()?.token == token { store.write(nil) }
  }

  private func obtain() async -> Result<String, Failure> {
    guard let url = URL(string: "/api/ingest/auth/device", relativeTo: base)?.absoluteURL,
      let body = try? JSONSerialization.data(withJSONObject: device.json, options: .sortedKeys)
    else { return .failure(Failure(status: 0, reason: "no request can be made of the endpoint")) }
    var headers = ReplayHeaders.identifying(publicKey: publicKey, device: device)
    headers["Content-Type"] = "application/json"
    let request = HTTPRequest(url: url, headers: headers, body: body, timeouts: Ingest.timeouts)
    let answer = await transport.send(request)
    guard (200..<300).contains(answer.status), let token = answer.json["uploadToken"] as? String, !token.isEmpty,
      token.utf8.count <= 8192
    else {
      return .failure(Failure(status: answer.status, reason: answer.failure ?? "the response has no uploadToken"))
    }
    let seconds = (answer.json["expiresIn"] as? NSNumber)?.doubleValue ?? Self.defaultLife
    let life = Int64(saturating: min(max(0, seconds.isNaN ? 0 : seconds), Self.longestLife) * 1000)
    store.write(DeviceCredential(token: token, issuedAt: now(), expiresInMs: life, audience: audience))
    return .success(token)
  }
}

enum ReplayHeaders {
  /// Who asks, before there is a credential.
  static func identifying(publicKey: String, device: DeviceDescription) -> [String: String] {
    ["x-public-key": publicKey, "x-platform": device.platform, "x-bundle-id": device.bundleId]
  }
}
