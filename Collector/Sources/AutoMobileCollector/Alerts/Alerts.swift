import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Tells people: rules, channels, the watch that looks and the sender that sends.
final class Alerts: Sendable {
  let store: AlertStore
  let watch: AlertWatch
  let courier: AlertCourier
  let sender: AlertSender
  /// How people get to the viewer, without a slash at its end.
  var publicURL: String? { courier.publicURL }

  private let follower = NIOLockedValueBox<Task<Void, Never>?>(nil)

  /// - Parameters:
  ///   - state: the rules and what is told; by default where the index is.
  ///   - reading: what the rules are about; by default in the index. One that is given has the reports of all collectors of this state,
  ///     by the same numbers.
  ///   - onAlert: called for everything that this collector decides to tell, beside the channels: for a terminal.
  init(
    store: EventStore, state: (any StateStore)? = nil, reading: (any AlertReading)? = nil, egress: Egress,
    publicURL: String?, logger: Logger,
    now: @escaping @Sendable () -> Int64 = { WallClock.now },
    onAlert: (@Sendable (String) -> Void)?
  ) {
    let state = state ?? store.state
    let cursors = store.sharesState && reading == nil ? AlertCursors(store) : nil
    let reading = reading ?? SQLiteAlerts(store: store)
    self.store = AlertStore(state: state) { kind in try await reading.newest(kind) }
    courier = AlertCourier(egress: egress, publicURL: publicURL)
    let sender = AlertSender(state, courier: courier, logger: logger)
    self.sender = sender
    watch = AlertWatch(store: store, state: state, reading: reading, cursors: cursors, logger: logger, now: now) {
      told in
      sender.wake()
      for alert in told { onAlert?(Self.line(alert)) }
    }
    let news = state.news(of: [.alerts])
    watch.start()
    sender.start()
    let task = Task { [watch] in
      // The one that looks and the one that sends may be in two collectors.
      for await told in news {
        sender.wake()
        if told.detail != AlertOutbox.news { watch.wake() }
      }
    }
    follower.withLockedValue { $0 = task }
    // What an earlier run decided and did not send.
    sender.wake()
  }

  func stop() {
    follower.withLockedValue { $0 }?.cancel()
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
    guard let channel = try await store.state.read({ try AlertStore.channel(id, in: $0) }) else {
      throw AlertStore.noChannel
    }
    let alert = Self.example(of: rule?.kind ?? .newIssue, rule: rule, at: now)
    let name = AlertOutbox.name()
    let outcome = await courier.deliver(alert, to: channel, id: name)
    try await store.state.write { state in
      try AlertOutbox.add(sent: alert, as: name, to: channel.id, outcome, at: now, in: state)
      // Where there are no rules, nobody else does.
      try AlertOutbox.forget(in: state)
    }
    return outcome
  }
}
