import AutoMobileState

/// What became of asks, in the order in which it did, for those who want to be told: whatever clocks say, each once.
///
/// Written by triggers, so that none of those who change or remove an ask can forget it: what is told about somebody who is erased
/// has their name in it, and goes with the ask.
enum AskChanges {
  static let sql = """
    CREATE TABLE ask_change(
      id INTEGER PRIMARY KEY AUTOINCREMENT, ask INTEGER NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL);
    CREATE INDEX ask_change_ask ON ask_change(ask);
    CREATE INDEX alert_log_subject ON alert_log(subject);

    CREATE TRIGGER ask_is_told AFTER UPDATE OF state ON ask WHEN new.state <> old.state AND new.state IN ('came', 'gone')
    BEGIN
      INSERT INTO ask_change(ask, state, at) VALUES (new.id, new.state, new.changedAt);
    END;

    CREATE TRIGGER ask_is_forgotten AFTER DELETE ON ask
    BEGIN
      DELETE FROM ask_change WHERE ask = old.id;
      DELETE FROM alert_message WHERE log IN (
        SELECT id FROM alert_log WHERE subject IN ('ask-' || old.id || '-came', 'ask-' || old.id || '-gone'));
      DELETE FROM alert_log WHERE subject IN ('ask-' || old.id || '-came', 'ask-' || old.id || '-gone');
      UPDATE alert_state SET waiting = NULL, held = 0
        WHERE subject IN ('ask-' || old.id || '-came', 'ask-' || old.id || '-gone');
    END;
    """

  /// Entries of alerts' log and messages: what goes with asks is the difference.
  static func alerts(in state: borrowing StateWriting) throws -> (entries: Int64, messages: Int64) {
    (
      try state.value("SELECT COUNT(*) FROM alert_log") ?? 0, try state.value("SELECT COUNT(*) FROM alert_message") ?? 0
    )
  }
}
