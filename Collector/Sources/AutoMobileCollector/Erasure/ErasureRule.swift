/// What becomes of a table's rows when a session is erased.
enum ErasureRule {
  /// The rows for which this holds, in SQL, go: `:session` is the session's number.
  case rows(String)
  /// Rows stay and lose what they say of the session, or go when nobody else needs them; how.
  case scrubbed(how: String)
  /// Rows stay: nothing in them is of a person, or it has to stay; why.
  case kept(why: String)

  static func session(_ column: String = "session") -> ErasureRule { .rows("\(column) = :session") }
  static let event = ErasureRule.rows("event IN (SELECT id FROM event WHERE session = :session)")
  static let replay = ErasureRule.rows("replay IN (\(ofReplays))")

  /// The replays that name the session.
  static let ofReplays = ReplayTables.ofSession("session.id = :session")
}

extension ErasureRule {
  /// Every table of the index. A test compares it with what there is; what is counted in a receipt is read from here.
  static let tables: [String: ErasureRule] = [
    "session": .session("id"), "event": .session(),
    "context": .scrubbed(how: "emptied: its number says that it is erased"),
    "session_launch": .session(), "session_type": .session(), "session_screen": .session(),
    "session_import": .rows("sessionId = (SELECT sessionId FROM session WHERE id = :session)"),
    "session_summary": .session(),
    "network": .session(), "spans": .session(),
    "launch_time": .session(), "screen_frames": .session(), "tap_trouble": .session(),
    "issue_event": .session(), "issue_session": .session(), "report_image": .event,
    "quarantine": .scrubbed(how: "what was put aside of its launches is emptied: its position stays known"),
    "launch_end": .scrubbed(
      how: "what the session told of other launches goes, and what was told of launches that were its own alone"),
    "replay": .rows("id IN (\(ofReplays))"), "replay_segment": .replay, "replay_fault": .replay,
    "replay_session": .replay,
    "replay_pack": .scrubbed(how: "packs with holes are written anew, and the old ones removed"),
    // Counted or called after it, together with others.
    "issue": .scrubbed(how: "counted anew, and described by the newest report that is left; without one it goes"),
    "issue_version": .scrubbed(how: "counted anew"), "issue_hour": .scrubbed(how: "counted anew"),
    "issue_text": .scrubbed(how: "written anew from the reports that are left"),
    "issue_merge": .scrubbed(how: "messages of the issues that it was counted in go"),
    "issue_change": .scrubbed(how: "titles in it go, of the issues that it was counted in"),
    "network_host": .scrubbed(how: "goes when no other request names it"),
    "network_route": .scrubbed(how: "goes when no other request names it"),
    "event_type": .scrubbed(how: "goes when no other event is of it"),
    "build": .scrubbed(how: "goes when nothing else was measured in it"),
    "alert_log": .scrubbed(
      how: "entries about issues that it was counted in, about routes that go, or about asks that go, are removed"),
    "alert_message": .scrubbed(how: "goes with its entry of the log"),
    "alert_state": .scrubbed(how: "what waits to be told about these is forgotten"),
    "ask": .scrubbed(how: "asks for it, and for the user or device that is erased, go with their reasons"),
    "ask_change": .scrubbed(how: "goes with its ask"),
    "saved_search": .kept(why: "written by those who look"),
    // What must stay.
    "launch": .kept(
      why: "a process by a random number, with counts: so that losses and what comes twice are still known"),
    "launch_kept": .kept(why: "how much a process, by a random number, has on its device"),
    "expired": .kept(why: "positions in a launch, so that what comes again is known as such"),
    "expired_name": .kept(why: "positions made of hashes, so that what comes again is known as such"),
    "arrival": .kept(why: "numbers: up to where a collector's log can be asked for"),
    "owner": .kept(why: "apps"), "project": .kept(why: "apps"),
    "project_key": .kept(why: "keys of apps and people who look"),
    "event_floor": .kept(why: "a number"), "log_position": .kept(why: "a number"),
    "issue_state": .kept(why: "decisions of those who look"), "issue_note": .kept(why: "written by those who look"),
    "configuration": .scrubbed(how: "asks for it go; what else names it is counted in the receipt"),
    "configuration_change": .scrubbed(how: "asks for it go; what else names it is counted in the receipt"),
    "configuration_store": .kept(why: "the store's own name"), "setting": .kept(why: "set for the whole collector"),
    "symbol_build": .kept(why: "programs"), "source_build": .kept(why: "programs"),
    "state_place": .kept(why: "where the state is"),
    "issue_notice": .scrubbed(how: "told to a state elsewhere before that is scrubbed, and removed"),
    "replay_told": .kept(why: "numbers of packs"),
    "blob_removal": .kept(why: "names of blobs, made of random letters"), "blob_place": .kept(why: "where blobs are"),
    "person_session": .kept(why: "people who look"), "sign_in_link": .kept(why: "people who look"),
    "audit": .kept(
      why: "who looked at what must stay provable; entries end by themselves, and are told in the receipt"),
    "audit_batch": .kept(why: "random names of what was written together, for a month"),
    "alert_cursor": .kept(why: "numbers: up to where rules have looked"),
    "alert_channel": .kept(why: "set by operators"), "alert_rule": .kept(why: "set by operators"),
    "forwarder": .kept(why: "set by operators"), "redaction": .kept(why: "set by operators"),
    "forwarder_lane": .kept(why: "how far it has come: the index is the queue"),
    "erasure_key": .kept(why: "of erasures themselves"), "erasure": .kept(why: "receipts, without the name"),
    "erasure_session": .session(), "erasure_shared": .kept(why: "work that is left; empty afterwards"),
    "erasure_name": .kept(why: "work that is left; empty afterwards"),
    "erased_name": .kept(why: "hashes of what must not come back, of all collectors, until they end"),
    "cluster_look": .kept(why: "numbers: up to where it has looked for what came late"),
    "erasure_late": .scrubbed(how: "goes when the state has been cleaned, before the file is written anew"),
    "erasure_mark": .kept(why: "hashes of what must not come back, until they end"),
    "command": .kept(why: "what is asked of an app and what it says, for the seconds in which somebody waits for that"),
    "command_listener": .kept(why: "random names of launches that listen, or have in the last day"),
    "grdb_migrations": .kept(why: "how the index was made"),
  ]

  /// Tables and the condition of their rows, in an order in which none is counted after what it is found by.
  static let counted: [(table: String, condition: String)] = tables.compactMap { table, rule in
    if case .rows(let condition) = rule, table != "erasure_session" { (table, condition) } else { nil }
  }.sorted { $0.table < $1.table }
}
