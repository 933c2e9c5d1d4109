import AutoMobileClickHouse
import AutoMobileTLS
import Foundation

/// Where what apps recorded is kept.
public enum TelemetryPlace: Sendable, Equatable {
  /// In the index, in the data directory: one collector.
  case folder
  /// In ClickHouse: `clickhouse://user@host:8123,other:8123/database?cluster=name`, or `clickhouse+https://…`, with all that
  /// addresses of it may have but a password.
  case clickhouse(String)

  /// Reads `clickhouse://…`, or `folder`.
  ///
  /// - Throws: ``Invalid``, with what is wrong.
  public init(_ text: String) throws {
    if text == "folder" {
      self = .folder
      return
    }
    guard text.hasPrefix("clickhouse://") || text.hasPrefix("clickhouse+https://") else {
      throw Invalid(
        "telemetry is kept in clickhouse://USER@HOST/DATABASE or clickhouse+https://USER@HOST/DATABASE, or in the folder of the data"
      )
    }
    do {
      guard try ClickHouseAddress(text).password.isEmpty else {
        throw Invalid(
          "a password in an argument is seen by all users of the machine: put it into \(StorePassword.variable), or into a file that \(StorePassword.fileVariable) names"
        )
      }
    } catch let error as ClickHouseError {
      throw Invalid(error.message)
    }
    self = .clickhouse(text)
  }

  /// Why a place cannot be read.
  public struct Invalid: Error, Equatable, CustomStringConvertible {
    public var description: String
    init(_ description: String) { self.description = description }
  }

  /// - Parameter password: nil: the one that the environment names.
  /// - Returns: nil when it is the index.
  /// - Throws: ``CollectorError``, with what to do.
  func address(password: String?) throws -> ClickHouseAddress? {
    guard case .clickhouse(let text) = self else { return nil }
    do {
      var address = try ClickHouseAddress(text)
      address.password = try password ?? StorePassword.find() ?? ""
      // Who begins with files that cannot be used is told so at once, also when the servers could be waited for.
      _ = try ClientTLS(address.tls).configuration()
      return address
    } catch let error as TLSFileError {
      throw CollectorError.telemetryUnusable(reason: error.description)
    } catch let error as ClickHouseError {
      throw CollectorError.telemetryUnusable(reason: error.message)
    } catch let error as Invalid {
      throw CollectorError.telemetryUnusable(reason: error.description)
    }
  }
}

/// ClickHouse's password, which is in no argument.
enum StorePassword {
  static let variable = "CLICKHOUSE_PASSWORD"
  static let fileVariable = "CLICKHOUSE_PASSWORD_FILE"
  private static let longest = 4096

  /// - Returns: nil when the environment names none.
  /// - Throws: ``TelemetryPlace/Invalid``, without the password.
  static func find(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> String? {
    if let password = environment[variable], !password.isEmpty { return try checked(password, variable) }
    guard let path = environment[fileVariable], !path.isEmpty else { return nil }
    guard let bytes = try? SyncedFile.read(path, longest: longest + 1) else {
      throw TelemetryPlace.Invalid("\(fileVariable) names a file that cannot be read")
    }
    var text = String(decoding: bytes, as: UTF8.self)
    // As editors and `echo` write it.
    while let last = text.last, last.isNewline { text.removeLast() }
    return try checked(text, fileVariable)
  }

  /// It goes into a header.
  private static func checked(_ password: String, _ name: String) throws -> String {
    guard password.utf8.count <= longest, password.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
      throw TelemetryPlace.Invalid("\(name): a password has at most \(longest) bytes, and no control characters")
    }
    return password
  }
}
