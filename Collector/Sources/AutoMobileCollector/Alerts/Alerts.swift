import Foundation
import GRDB
import Logging

/// Tells people: rules, channels, the watch that looks and the sender that sends.
final class Alerts: Sendable {
  let store: AlertStore
  let watch: AlertWatch
  let courier: AlertCourier
  let sender: AlertSender
  /// How people get to the viewer, without a slash at its end.
  var publicURL: String? { courier.publicURL }

  /// - Parameter onAlert: called for everything that is told, beside the channels: for a terminal.
  init(
    store: EventStore, egress: Egress, publicURL: String?, logger: Logger,
    now: @escaping @Sendable () -> Int64 = { WallClock.now },
    onAlert: (@Sendable (String) -> Void)?
  ) {
    self.store = AlertStore(store: store)
    courier = AlertCourier(egress: egress, publicURL: publicURL)
    let sender = AlertSender(store: store, courier: courier, logger: logger)
    self.sender = sender
    watch = AlertWatch(store: store, logger: logger, now: now) { told in
      sender.wake()
      for alert in told { onAlert?(Self.line(alert)) }
    }
    watch.start()
    sender.start()
    // What an earlier run decided and did not send.
    sender.wake()
  }

  func stop() {
    watch.stop()
    sender.stop()
  }

  /// For a terminal; what was recorded stands in it, so whoever prints it makes it printable.
  static func line(_ alert: Alert) -> String {
    let mark =
      switch alert.event {
      case .triggered: "alert"
      case .resolved: "over"
      case .test: "test"
      }
    return "\(mark): \(alert.title) – \(alert.text) (\(alert.ruleName))"
  }

  // MARK: Trying it out

  /// What a test of a rule or a channel looks like.
  static func example(of kind: AlertRule.Kind, rule: AlertRule?, at now: Int64) -> Alert {
    var alert = Alert(
      kind: kind, subject: "test", severity: .info,
      title: rule.map { "This is how “\($0.name)” tells" } ?? "AutoMobile can tell you here",
      text: rule?.sentence ?? "Somebody pressed “Send test”. Nothing has happened.",
      facts: [Alert.Fact("Sent at", Alert.time(now))], place: "#/settings", at: now)
    alert.event = .test
    (alert.rule, alert.ruleName) = (rule?.id ?? 0, rule?.name ?? "Test")
    return alert
  }

  /// Sends a test to a channel now, and notes it in the log.
  ///
  /// - Throws: ``APIError`` when there is no such channel.
  func test(channel id: Int64, rule: AlertRule? = nil, at now: Int64) async throws -> AlertCourier.Outcome {
    guard let channel = try await store.store.pool.read({ try AlertStore.channel(id, in: $0) }) else {
      throw AlertStore.noChannel
    }
    let alert = Self.example(of: rule?.kind ?? .newIssue, rule: rule, at: now)
    let name = "msg_" + UUID().uuidString.lowercased().replacing("-", with: "")
    let outcome = await courier.deliver(alert, to: channel, id: name)
    let state: (word: String, reason: String?, status: Int?) =
      switch outcome {
      case .sent(let status): ("sent", nil, status)
      case .later(let reason, let status, _), .failed(let reason, let status): ("failed", reason, status)
      }
    try await store.store.pool.write { database in
      let log = try AlertOutbox.add(alert, to: [], held: nil, at: now, in: database)
      try database.execute(
        sql: """
          INSERT INTO alert_message(name, log, channel, state, attempts, due, status, reason, changedAt)
          VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?)
          """, arguments: [name, log, channel.id, state.word, now, state.status, state.reason, WallClock.now])
      // Where there are no rules, nobody else does.
      try AlertOutbox.forget(in: database)
    }
    return outcome
  }
}
