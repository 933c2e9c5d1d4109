import AutoMobileClickHouse
import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// All of a collector that has to do with ClickHouse: its servers, how they are asked, and the number under which it writes.
final class ClusterTelemetry: Sendable {
  let cluster: ClickHouseCluster
  /// Who asks.
  let telemetry: ClickHouseTelemetry
  let writer: WriterNumber
  /// In which order what all collectors take in has arrived.
  let order: ArrivalOrder
  /// Says how far this one's log is there.
  let publisher: ArrivalPublisher
  let erasing: ClickHouseErasing
  let retention: ClickHouseRetention
  /// Makes the tables of servers that did not answer at the start.
  private let preparing: Task<Void, Never>?
  private let isClosed = NIOLockedValueBox(false)

  private static let pause: Duration = .seconds(15)

  /// Connects, and makes the tables that are missing. Waits on the thread that it is called on.
  ///
  /// - Parameters:
  ///   - mark: what an earlier start has left: then ClickHouse may be away.
  ///   - hasLog: whether something of that is in the directory's log.
  /// - Throws: ``CollectorError``.
  init(
    _ address: ClickHouseAddress, _ mark: TelemetryMark?, hasLog: Bool, _ store: EventStore, _ logger: Logger
  ) throws {
    let known = mark?.isInUse == true ? mark?.known : nil
    let cluster = try Self.open(address, known, logger)
    self.cluster = cluster
    do {
      if let change = known?.change(to: cluster.remembered) {
        throw CollectorError.telemetryUnusable(reason: "\(change): shards of a database in use stay as they are")
      }
      // Last of all that may fail, and under a name that is kept: a start that is tried again and again takes no number each time.
      let identity = mark?.identity ?? UUID().uuidString
      if mark == nil {
        try TelemetryMark(address, identity: identity, number: nil, known: cluster.remembered).write(store.own)
      }
      writer = try WriterNumber(
        identity: identity, bound: hasLog ? mark?.number : nil, in: store, logger: logger)
    } catch {
      try? cluster.shutdownNow()
      throw error
    }
    telemetry = ClickHouseTelemetry(cluster, gate: store.gate, limits: store.limits)
    order = ArrivalOrder(store.state)
    publisher = ArrivalPublisher(store.state, writer: writer.number, logger: logger)
    erasing = ClickHouseErasing(cluster, telemetry: telemetry, lists: ErasureLists(store))
    retention = ClickHouseRetention(cluster, turn: WorkTurn(StateWork("retention"), in: store.state))
    preparing = cluster.silent.isEmpty ? nil : Task { await Self.prepare(cluster, logger) }
  }

  deinit { close() }

  /// Called when nothing is sent and asked any more.
  func close() {
    let isFirst = isClosed.withLockedValue { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    preparing?.cancel()
    order.stop()
    writer.release()
    try? cluster.shutdownNow()
  }

  private static func open(
    _ address: ClickHouseAddress, _ known: RememberedCluster?, _ logger: Logger
  ) throws -> ClickHouseCluster {
    do {
      return try waitFor { try await ClickHouseCluster.open(address) }
    } catch let error as ClickHouseError {
      // What is set up wrongly is told at the start; who is only away is waited for, if it has been in use.
      guard let known, error.isTransient, let cluster = try? ClickHouseCluster(address, remembering: known) else {
        throw CollectorError.telemetryUnusable(reason: error.description)
      }
      logger.error(
        "ClickHouse does not answer; what apps send waits in the log until it does", metadata: ["error": "\(error)"])
      return cluster
    }
  }

  private static func prepare(_ cluster: ClickHouseCluster, _ logger: Logger) async {
    while !Task.isCancelled {
      do {
        return try await cluster.prepare()
      } catch let error as ClickHouseError where error.isTransient {
        // The indexer tells of it.
      } catch {
        logger.error("the tables of ClickHouse cannot be brought up to date", metadata: ["error": "\(error)"])
      }
      do { try await Task.sleep(for: pause) } catch { return }
    }
  }
}
