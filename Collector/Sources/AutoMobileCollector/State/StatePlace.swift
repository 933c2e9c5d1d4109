import AutoMobilePostgres
import AutoMobileState

/// Where projects, keys and all that people set and decide is kept.
public enum StatePlace: Sendable, Equatable {
  /// In the index's own file, in the data directory: one collector.
  case folder
  /// In a PostgreSQL database, which collectors share: `postgres://user@host:port/database`, with all that libpq's addresses may have
  /// but what is secret.
  case postgres(String)

  /// Reads `postgres://…`, or `folder`.
  ///
  /// - Throws: ``Invalid``, with what is wrong; also when PostgreSQL's client library is not installed.
  public init(_ text: String) throws {
    if text == "folder" {
      self = .folder
      return
    }
    guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
      throw Invalid("a state is kept in postgres://USER@HOST/DATABASE, or in the folder of the data")
    }
    do {
      guard try !PostgresOptions(url: text).hasSecret() else {
        throw Invalid(
          """
          a password in an argument is seen by all users of the machine: put it into PGPASSWORD, or into a file of passwords \
          (PGPASSFILE, ~/.pgpass); what else is secret, like sslpassword, into a service file (PGSERVICEFILE), with ?service=NAME in the \
          address
          """)
      }
    } catch let error as StateError {
      throw Invalid(error.description)
    }
    self = .postgres(text)
  }

  /// Why a place cannot be read.
  public struct Invalid: Error, Equatable, CustomStringConvertible {
    public var description: String
    init(_ description: String) { self.description = description }
  }
}

extension StatePlace {
  /// Connects, and makes the tables that are missing. Waits on the thread that it is called on.
  ///
  /// - Returns: nil when it is the index's own.
  /// - Throws: ``CollectorError``, with what to do.
  func open(password: String?) throws -> (any StateStore)? {
    guard case .postgres(let url) = self else { return nil }
    var options = PostgresOptions(url: url)
    options.password = password
    do {
      return try PostgresState(options)
    } catch let error as StateError {
      throw CollectorError.stateUnusable(reason: error.description)
    }
  }
}
