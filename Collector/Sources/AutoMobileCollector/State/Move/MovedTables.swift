import AutoMobileState

/// Which tables go along when the state moves, and which do not.
extension MovedTable {
  /// The first one has the name of the state: whoever puts it in has the place. See ``StateMove``.
  static let all = people + decisions + work

  private static let people: [MovedTable] = [
    MovedTable("configuration_store", key: [.whole("id")], texts: ["issuer"]),
    .numbered("project", wholes: ["createdAt", "days"], texts: ["name", "bundleId", "createdBy", "tracker"]),
    .numbered(
      "project_key", wholes: ["project", "createdAt", "lastUsedAt", "endsAt"],
      texts: ["name", "role", "hint", "createdBy"], bytes: ["hash"]),
    MovedTable(
      "configuration", key: [.text("bundleId")], wholes: ["version", "changedAt"], texts: ["document", "changedBy"]),
    MovedTable(
      "configuration_change", key: [.whole("version")], wholes: ["changedAt"],
      texts: ["bundleId", "document", "changedBy"]),
    .numbered(
      "person_session", wholes: ["createdAt", "lastSeenAt"],
      texts: ["issuer", "subject", "name", "grants", "address", "browser"], bytes: ["hash"]),
    MovedTable(
      "sign_in_link", key: [.bytes("hash")], wholes: ["createdAt", "endsAt"], texts: ["name", "grants", "createdBy"]),
    .numbered("audit", wholes: ["at", "status"], texts: ["who", "by", "address", "action", "route", "thing"]),
    MovedTable("audit_batch", key: [.text("name")], wholes: ["at"]),
    .numbered(
      "redaction", wholes: ["createdAt", "redacted"], texts: ["project", "kind", "value", "createdBy"]),
    MovedTable(
      "setting", key: [.text("name")], wholes: ["changedAt"], texts: ["value", "changedBy"],
      // Which data directory this is, and which ClickHouse it belongs to.
      where: "name NOT IN ('data directory', 'telemetry_place')"),
    .numbered("saved_search", wholes: ["changedAt"], texts: ["name", "address", "changedBy"]),
  ]

  /// About what was recorded, and who is told of it.
  private static let decisions: [MovedTable] = [
    MovedTable(
      "issue_state", key: [.text("name")], wholes: ["changedAt", "regressedAt"],
      texts: ["status", "version", "changedBy", "regressedIn"]),
    MovedTable("issue_note", key: [.text("name")], texts: ["assignee", "link"]),
    .numbered("issue_change", wholes: ["at"], texts: ["name", "author", "what", "value", "before"]),
    MovedTable(
      "issue_merge", key: [.text("name")], wholes: ["line"],
      texts: ["target", "cause", "culprit", "message", "file", "template"]),
    .numbered("alert_channel", wholes: ["changedAt"], texts: ["name", "kind", "settings", "changedBy"]),
    .numbered(
      "alert_rule", wholes: ["cursor", "since", "held", "changedAt"], texts: ["name", "kind", "settings", "changedBy"]),
    MovedTable(
      "alert_state", key: [.whole("rule"), .text("subject")], wholes: ["firing", "since", "toldAt", "told", "held"],
      texts: ["waiting"]),
    .numbered("alert_log", wholes: ["rule", "at"], texts: ["event", "subject", "alert", "held"]),
    .numbered(
      "alert_message", wholes: ["log", "channel", "attempts", "due", "status", "changedAt"],
      texts: ["name", "state", "reason"]),
  ]

  private static let work: [MovedTable] = [
    .numbered("forwarder", wholes: ["changedAt", "fromBeginning"], texts: ["name", "settings", "changedBy"]),
    MovedTable(
      "forwarder_lane", key: [.whole("forwarder"), .text("signal")],
      wholes: ["cursor", "sent", "rejected", "expired", "passedOver", "lastSent", "refusedAt"], texts: ["refusal"]),
    .numbered(
      "ask", wholes: ["fromTime", "toTime", "askedAt", "endsAt", "changedAt", "toldAt", "cameAt", "events", "seen"],
      texts: ["bundleId", "kind", "subject", "session", "reason", "askedBy", "state", "gone", "changedBy"]),
    .numbered("ask_change", wholes: ["ask", "at"], texts: ["state"]),
    MovedTable("symbol_build", key: [.text("id")], texts: ["blob", "entry"]),
    MovedTable("source_build", key: [.text("id")], wholes: ["bytes"], texts: ["blob"]),
    MovedTable("blob_removal", key: [.text("key")], where: "key NOT LIKE 'replays/%'"),
    MovedTable("blob_place", key: [.whole("id")], texts: ["place", "directory"]),
    MovedTable("arrival", key: [.whole("place")], wholes: ["writer", "first", "last", "at"]),
    MovedTable("erased_name", key: [.bytes("hash")], wholes: ["at", "ends"], bytes: ["secret"]),
  ]

  /// Those of the index's file that have something to do with the state, and stay with their collector; with the reason.
  static let ownOfCollector: [String: String] = [
    "alert_cursor": "up to which report of this index rules have looked",
    "cluster_look": "what this collector has looked at in ClickHouse",
    "command": "lives for seconds, between collectors that share a state already",
    "command_listener": "apps that ask at this moment; they ask again",
    "erasure":
      "an erasure is done by the collector that was asked, in its own files; its marks go along as erased_name",
    "erasure_key": "goes along with each mark that was made with it",
    "erasure_late": "work of this collector that is not done",
    "erasure_mark": "by what this collector refuses; goes along as erased_name",
    "erasure_name": "work of this collector that is not done",
    "erasure_session": "work of this collector that is not done",
    "erasure_shared": "work of this collector that is not done",
    "issue_notice": "what this index has to tell a state elsewhere",
    "log_position": "how far this collector's log is indexed",
    "state_place": "where this index's state is",
  ]
}
