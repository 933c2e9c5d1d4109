/// What operators want to be told, where, and what they were told.
enum AlertTables {
  static let sql = """
    CREATE TABLE alert_channel(
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
      -- JSON; with what is secret in it.
      settings TEXT NOT NULL, changedAt INTEGER NOT NULL, changedBy TEXT NOT NULL);

    CREATE TABLE alert_rule(
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, settings TEXT NOT NULL,
      -- Up to which report (or which change of an issue) it has been looked at: moves in the transaction that says what came of it.
      cursor INTEGER NOT NULL,
      -- Since when it looks; what was before is not its business.
      since INTEGER NOT NULL,
      -- Told together later, because there were too many.
      held INTEGER NOT NULL DEFAULT 0,
      changedAt INTEGER NOT NULL, changedBy TEXT NOT NULL);

    -- What is the case at this moment, and when something was told of it last.
    CREATE TABLE alert_state(
      rule INTEGER NOT NULL, subject TEXT NOT NULL,
      firing INTEGER NOT NULL, since INTEGER NOT NULL, toldAt INTEGER,
      -- Whether somebody was told that it is the case, and so wants to know when it is over.
      told INTEGER NOT NULL DEFAULT 0,
      -- Happened again in the quiet time: how often, and the last of it as JSON, which is told afterwards.
      held INTEGER NOT NULL DEFAULT 0, waiting TEXT,
      PRIMARY KEY (rule, subject)) WITHOUT ROWID;

    CREATE TABLE alert_log(
      id INTEGER PRIMARY KEY AUTOINCREMENT, rule INTEGER NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL,
      subject TEXT NOT NULL, alert TEXT NOT NULL,
      -- Why nothing was sent of it; null: something was.
      held TEXT);
    CREATE INDEX alert_log_rule ON alert_log(rule, at);

    -- Written in the transaction that decides: what is not sent when the collector dies is sent by the next one, under the same id.
    CREATE TABLE alert_message(
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, log INTEGER NOT NULL, channel INTEGER NOT NULL,
      -- waiting, sent or failed.
      state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL,
      status INTEGER, reason TEXT, changedAt INTEGER NOT NULL);
    CREATE INDEX alert_message_log ON alert_message(log);
    CREATE INDEX alert_message_due ON alert_message(due) WHERE state = 'waiting';
    """
}
