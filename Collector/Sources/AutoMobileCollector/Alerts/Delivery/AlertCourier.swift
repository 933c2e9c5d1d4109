import Foundation

/// Brings an alert to a channel, once.
struct AlertCourier: Sendable {
  enum Outcome: Sendable, Equatable {
    case sent(status: Int?)
    /// The same may go well later; after so many seconds, when the receiver said so.
    case later(reason: String, status: Int?, after: Double?)
    case failed(reason: String, status: Int?)
  }

  let egress: Egress
  /// How people get to the viewer: `https://automobile.example.com`; nil: alerts have no links.
  let publicURL: String?
  var limits = EgressLimits(seconds: 15, answerBytes: 4096)

  /// - Parameter id: of the message: the same at each attempt, so that a receiver can pass over what it has.
  func deliver(_ alert: Alert, to channel: AlertChannel, id: String, now: Int64 = WallClock.now) async -> Outcome {
    let outcome = await attempt(alert, to: channel, id: id, now: now)
    // A test opens an incident, which somebody is called for: it is closed at once.
    guard channel.kind == .pagerduty, alert.event == .test, case .sent = outcome else { return outcome }
    var end = alert
    end.event = .resolved
    switch await attempt(end, to: channel, id: id, now: now) {
    case .sent(let status): return .sent(status: status)
    case .later(let reason, let status, _), .failed(let reason, let status):
      return .failed(reason: "the test opened an incident, which could not be resolved: \(reason)", status: status)
    }
  }

  private func attempt(_ alert: Alert, to channel: AlertChannel, id: String, now: Int64) async -> Outcome {
    do {
      if let mail = channel.settings.mail {
        let message = MailMessage(alert, link: link(alert), id: id, mail: mail)
        try await SMTPClient(egress: egress).send(message, by: mail)
        return .sent(status: nil)
      }
      guard let url = channel.settings.url else { return .failed(reason: "the channel has no URL", status: nil) }
      let body = AlertShape.body(alert, for: channel, link: link(alert), id: id)
      let headers =
        [Egress.userAgent, ("Content-Type", "application/json")]
        + WebhookSignature.headers(id: id, seconds: now / 1000, body: body, secret: channel.settings.secret)
      return Self.outcome(try await egress.send(to: url, headers: headers, body: body, limits: limits))
    } catch let error as EgressError {
      return error.isTemporary
        ? .later(reason: "\(error)", status: nil, after: nil) : .failed(reason: "\(error)", status: nil)
    } catch let error as SMTPError {
      return error.isTemporary
        ? .later(reason: "\(error)", status: nil, after: nil) : .failed(reason: "\(error)", status: nil)
    } catch {
      return .later(reason: "the connection failed: \(Alert.short("\(error)"))", status: nil, after: nil)
    }
  }

  func link(_ alert: Alert) -> String? {
    guard let publicURL, let place = alert.place else { return nil }
    return publicURL + "/" + place
  }

  private static func outcome(_ answer: EgressAnswer) -> Outcome {
    let status = answer.status
    switch status {
    case 200..<300: return .sent(status: status)
    case 300..<400:
      return .failed(reason: "the receiver answered \(status), a redirect, which is not followed", status: status)
    case 408, 425, 429, 500...:
      return .later(reason: "the receiver answered \(status)", status: status, after: answer.retryAfter())
    default:
      // What a receiver says about it helps; it may say anything.
      let said = Alert.short(String(buffer: answer.body), 200).trimmingCharacters(in: .whitespacesAndNewlines)
      return .failed(reason: "the receiver answered \(status)" + (said.isEmpty ? "" : ": \(said)"), status: status)
    }
  }
}
