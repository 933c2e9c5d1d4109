import Foundation
import HTTPTypes
import NIOCore

/// Brings a batch to a receiver, once: through the collector's one door to the outside.
final class ForwardCourier: Sendable {
  private let egress: Egress
  private let settings: Forwarder.Settings
  private let signal: ForwardSignal
  private let identity: String
  private let limits: EgressLimits
  /// Names move: a connection is not kept for longer.
  private let kept: Duration
  private let state = ForwardConnection()

  init(
    egress: Egress, settings: Forwarder.Settings, signal: ForwardSignal, identity: String,
    limits: EgressLimits = EgressLimits(seconds: 30, answerBytes: 256 << 10), kept: Duration = .seconds(300)
  ) {
    (self.egress, self.settings, self.signal, self.identity) = (egress, settings, signal, identity)
    (self.limits, self.kept) = (limits, kept)
  }

  /// - Throws: `CancellationError`; then nobody knows whether it arrived.
  func deliver(_ batch: ForwardBatch) async throws -> ForwardOutcome {
    do {
      let connection = try await state.connection(for: kept) { [self] in
        try await egress.connection(to: settings.url(of: signal), limits: limits)
      }
      let answer = try await connection.send(headers: headers(batch), body: [UInt8](batch.body.readableBytesView))
      let outcome = ForwardAnswer(
        answer: answer, signal: signal, records: batch.count, secrets: settings.secrets
      ).outcome
      if case .accepted = outcome { return outcome }
      await state.close()
      return outcome
    } catch let error as EgressError {
      await state.close()
      return error.isTemporary ? .later(reason: "\(error)", after: nil) : .blocked(reason: "\(error)")
    } catch let error as CancellationError {
      await state.close()
      throw error
    } catch {
      await state.close()
      return .later(reason: "the connection failed: \(Alert.short("\(error)"))", after: nil)
    }
  }

  func close() async { await state.close() }

  private func headers(_ batch: ForwardBatch) -> [(String, String)] {
    var headers = [
      Egress.userAgent, ("Content-Type", settings.format.mediaType),
      (HTTPField.Name.xAutoMobileForwarder.rawName, identity),
    ]
    if batch.isCompressed { headers.append(("Content-Encoding", "gzip")) }
    return headers + settings.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Forwarder.Settings {
  /// What must not be shown: the headers' values, also without the word before a token; the longest first.
  var secrets: [String] {
    let values = headers.values.flatMap { [$0] + $0.split(separator: " ").dropFirst().map(String.init) }
    return values.filter { $0.utf8.count >= 4 }.sorted { $0.utf8.count > $1.utf8.count }
  }
}

/// The connection at hand. Asked by one lane at a time.
private actor ForwardConnection {
  private var current: (connection: EgressConnection, since: ContinuousClock.Instant)?

  func connection(
    for time: Duration, _ open: @Sendable () async throws -> EgressConnection
  ) async throws -> EgressConnection {
    if let current, current.since.duration(to: .now) < time { return current.connection }
    await close()
    let connection = try await open()
    // Somebody who came meanwhile has one that nobody would close.
    await close()
    current = (connection, .now)
    return connection
  }

  func close() async {
    guard let old = current?.connection else { return }
    current = nil
    await old.close()
  }
}
