import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile store`: what a data directory keeps, while no collector uses it.
struct StoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Make tables, move what is kept to another store, and check it.",
    subcommands: [StoreMigrateCommand.self, StoreMoveCommand.self, StoreCheckCommand.self])
}

/// Which data directory.
struct StoreOptions: ParsableArguments {
  @Option(help: "The data directory; its collector must not be running.")
  var data: String?

  @Option(
    help: ArgumentHelp(
      "Where the collector's projects, keys and decisions are, as it is started with: postgres://USER@HOST/DATABASE.",
      valueName: "place"))
  var state: String?

  @Flag(help: "Print the result as JSON.")
  var json = false

  func open() throws -> StoreMaintenance {
    umask(0o077)
    do {
      return try StoreMaintenance(
        (data.map { URL(filePath: $0) } ?? DataDirectory.standard).absoluteURL,
        state: try state.map { try StatePlace($0) } ?? .folder)
    } catch let error as StatePlace.Invalid {
      throw ValidationError("--state: \(error).")
    } catch let error as CollectorError {
      throw Failure(kind: .unavailable, message: "\(error)")
    }
  }

  /// - Throws: ``Failure`` that says what is wrong with it.
  static func place(_ text: String) throws -> BlobPlace {
    do {
      return try BlobPlace(text)
    } catch {
      throw ValidationError("\(error).")
    }
  }

  /// In words, what went wrong.
  static func explained<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as BlobError {
      throw Failure(kind: error.kind == .damaged ? .failed : .unavailable, message: "\(error)")
    } catch let error as CollectorError {
      throw Failure(kind: .unavailable, message: "\(error)")
    } catch let error as BlobPlace.Invalid {
      throw Failure(kind: .unavailable, message: "\(error)")
    }
  }
}
