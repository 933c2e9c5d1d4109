/// What a transaction leaves behind when it is kept: a row for each connection has the number of the last one. The server's own
/// numbers do not tell as much: after a crash another transaction may get the same.
struct PostgresToken {
  let connection: Int64
  let number: Int64

  /// Rows of connections that are gone.
  static let purge = "DELETE FROM automobile_write WHERE at < now() - INTERVAL '1 day'"

  var note: String {
    """
    INSERT INTO automobile_write(connection, number) VALUES (\(connection), \(number))
    ON CONFLICT (connection) DO UPDATE SET number = EXCLUDED.number, at = now()
    """
  }

  /// Answers with the number of the last one that was kept. Waits for one that is at it: the server may not have noticed yet that
  /// nobody is there any more, or keep it just now.
  var question: String {
    """
    INSERT INTO automobile_write(connection, number) VALUES (\(connection), 0)
    ON CONFLICT (connection) DO UPDATE SET at = now() RETURNING number
    """
  }
}
