/// What somebody who sees some projects only may read of a table.
enum WallRule {
  /// The rows for which this holds, in SQL: `row` is the row, `temp.reach` has the rows of the owners whose data is seen.
  case rows(String)
  /// All of it, and why that gives nothing away.
  case common(reason: String)
  /// Nothing: whoever asks is refused. What is not in the list below is closed, too.
  case closed(reason: String)

  static func owner(_ column: String = "owner") -> WallRule { .rows(isOwn("row.\(column)")) }

  static func session(_ column: String = "session") -> WallRule {
    .rows("EXISTS (SELECT 1 FROM main.session AS held WHERE held.id = row.\(column) AND \(isOwn("held.owner")))")
  }

  static func launch(_ column: String = "launch") -> WallRule {
    .rows("EXISTS (SELECT 1 FROM main.launch AS held WHERE held.id = row.\(column) AND \(isOwn("held.owner")))")
  }

  static func event(_ column: String) -> WallRule { .rows(isOwnEvent("row.\(column)")) }

  static func issue(_ condition: String) -> WallRule {
    .rows(
      """
      EXISTS (SELECT 1 FROM main.issue AS told CROSS JOIN main.issue_session AS part ON part.issue = told.id
        CROSS JOIN main.session AS held ON held.id = part.session
        WHERE \(condition) AND \(isOwn("held.owner")))
      """)
  }

  /// An app's name: the longest name of a project that it begins with is the project that it belongs to.
  static func bundle(_ column: String = "bundleId") -> WallRule {
    .rows(
      """
      IFNULL((SELECT isOwn FROM temp.reach_app WHERE substr(row.\(column) || '.', 1, length(bundle) + 1) = bundle || '.'
        ORDER BY length(bundle) DESC LIMIT 1), 0)
      """)
  }

  /// The plus sign keeps SQLite from looking up sessions by owner: the plan stays the one that a question has without the wall.
  private static func isOwn(_ column: String) -> String { "+\(column) IN temp.reach" }

  private static func isOwnEvent(_ id: String) -> String {
    """
    EXISTS (SELECT 1 FROM main.event AS told CROSS JOIN main.session AS held ON held.id = told.session
      WHERE told.id = \(id) AND \(isOwn("held.owner")))
    """
  }
}

extension WallRule {
  /// Every table of the index. A test compares it with what there is.
  static let tables: [String: WallRule] = [
    "owner": .rows("+row.id IN temp.reach"),
    // Telemetry.
    "session": .owner(), "launch": .owner(), "launch_end": .owner(),
    "session_launch": .session(), "session_type": .session(), "session_screen": .session(),
    "session_import": .rows(
      "EXISTS (SELECT 1 FROM main.session AS held WHERE held.sessionId = row.sessionId AND +held.owner IN temp.reach)"),
    "context": .launch(), "event": .session(), "quarantine": .launch(),
    "expired": .launch(), "expired_name": .launch(),
    "session_summary": .session(), "launch_kept": .owner(),
    "network": .session(), "spans": .owner(),
    "launch_time": .session(), "screen_frames": .session(), "tap_trouble": .session(),
    "replay": .owner(), "replay_segment": .owner(), "replay_fault": .owner(),
    "replay_session": .rows(
      "EXISTS (SELECT 1 FROM main.replay AS held WHERE held.id = row.replay AND +held.owner IN temp.reach)"),
    // Issues: of an app, as the sessions are in which they happened.
    "issue": .issue("told.id = row.id"),
    "issue_event": .session(), "issue_session": .session(),
    "issue_version": .issue("told.id = row.issue"), "issue_hour": .issue("told.id = row.issue"),
    "issue_text": .issue("told.id = row.issue"),
    "issue_state": .issue("told.name = row.name"), "issue_note": .issue("told.name = row.name"),
    "issue_change": .issue("told.name = row.name"), "issue_merge": .issue("told.name = row.target"),
    "report_image": .event("event"),
    // What is set for an app.
    "ask": .bundle(), "build": .bundle(), "configuration": .bundle(), "configuration_change": .bundle(),
    "project": .rows("row.bundleId IN (SELECT bundle FROM temp.reach_app WHERE isOwn)"),
    // Names that rows behind the wall refer to by number. What lists them begins with such rows; see `seen_type`.
    "event_type": .common(reason: "names of types, found from events"),
    "network_host": .common(reason: "names of hosts, found from requests"),
    "network_route": .common(reason: "patterns of paths, found from requests"),
    "event_floor": .common(reason: "the number from which events are counted"),
    // The collector's own.
    "log_position": .closed(reason: "how far the collector's log is indexed"),
    "setting": .closed(reason: "of the whole collector"),
    "project_key": .closed(reason: "keys are listed from memory"),
    "configuration_store": .closed(reason: "the store's name is in memory"),
    "saved_search": .closed(reason: "searches are shared by all who see everything"),
    "replay_pack": .common(reason: "names of packs, found from segments"),
    "symbol_build": .closed(reason: "builds are kept by their id, whoever's they are"),
    "source_build": .closed(reason: "builds are kept by their id, whoever's they are"),
    "blob_removal": .closed(reason: "of the whole collector"),
    "state_place": .closed(reason: "of the whole collector"),
    "issue_notice": .closed(reason: "what the state has not been told yet"),
    "blob_place": .closed(reason: "of the whole collector"),
    "person_session": .closed(reason: "who has signed in is known from memory"),
    "sign_in_link": .closed(reason: "links are looked up by their hash"),
    "audit": .closed(reason: "who did what, in the whole collector"),
    "audit_batch": .closed(reason: "who did what, in the whole collector"),
    "alert_cursor": .closed(reason: "alerts are of the whole collector"),
    "alert_channel": .closed(reason: "alerts are of the whole collector"),
    "alert_rule": .closed(reason: "alerts are of the whole collector"),
    "alert_state": .closed(reason: "alerts are of the whole collector"),
    "alert_log": .closed(reason: "alerts are of the whole collector"),
    "alert_message": .closed(reason: "alerts are of the whole collector"),
    "ask_change": .closed(reason: "read by alerts, which are of the whole collector"),
    "forwarder": .closed(reason: "forwarders are of the whole collector"),
    "forwarder_lane": .closed(reason: "forwarders are of the whole collector"),
    "arrival": .closed(reason: "numbers of the whole collector"),
    "redaction": .closed(reason: "rules are listed from memory, by project"),
    "erasure": .closed(reason: "receipts are shown by project, to those who decide"),
    "erasure_session": .closed(reason: "of the whole collector"),
    "erasure_shared": .closed(reason: "of the whole collector"),
    "erasure_name": .closed(reason: "of the whole collector"), "replay_told": .closed(reason: "of the whole collector"),
    "erased_name": .closed(reason: "of the whole collector"),
    "cluster_look": .closed(reason: "numbers of the whole collector"),
    "erasure_late": .closed(reason: "of the whole collector"),
    "erasure_mark": .closed(reason: "of the whole collector"),
    "erasure_key": .closed(reason: "a secret"),
    "command": .closed(reason: "looked up by whose app it is, where collectors share a state"),
    "command_listener": .closed(reason: "listed by whose app it is, where collectors share a state"),
    "grdb_migrations": .closed(reason: "how the index was made"),
  ]

  /// The full text index: its tables are read by SQLite itself.
  static let fullText: WallRule = .event("rowid")
}
