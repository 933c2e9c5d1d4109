import Foundation

/// Finds the receiver that serves this simulator, among those that listen on the developer's machine.
///
/// With several simulators each has its own, on a port that nobody can know beforehand. A receiver tells on `GET /health`
/// which device it serves; one that names none serves everybody.
struct SimulatorReceiver: Sendable {
  /// The environment variable that names the simulator.
  static let variable = "SIMULATOR_UDID"
  /// Where AutoMobile's receivers listen. 8766 belongs to somebody else.
  static let ports = (8765...8796).filter { $0 != 8766 }

  var deviceId: String
  var ports = Self.ports
  var timeouts = HTTPTimeouts(silence: 0.5, whole: 1)

  /// Nil when the process does not run in a simulator.
  init?(environment: [String: String]) {
    guard let deviceId = environment[Self.variable], !deviceId.isEmpty else { return nil }
    self.init(deviceId: deviceId)
  }

  init(deviceId: String, ports: [Int] = Self.ports) {
    self.deviceId = deviceId
    self.ports = ports
  }

  /// Asks one port after the other; `completion` gets the base URL, or nil when nobody serves this device.
  ///
  /// - Parameters:
  ///   - queue: on which it is called, and what follows too.
  ///   - isWanted: asked before each port but the first; nobody is asked any more, and nobody is found, when it says no.
  func find(
    _ transport: any RequestTransport, on queue: DispatchQueue, while isWanted: @escaping @Sendable () -> Bool,
    completion: @escaping @Sendable (URL?) -> Void
  ) {
    ask(ports[...], nil, Search(transport: transport, queue: queue, isWanted: isWanted, completion: completion))
  }

  private struct Search: Sendable {
    let transport: any RequestTransport
    let queue: DispatchQueue
    let isWanted: @Sendable () -> Bool
    let completion: @Sendable (URL?) -> Void
  }

  private func ask(_ ports: ArraySlice<Int>, _ fallback: URL?, _ search: Search) {
    guard let port = ports.first, let base = URL(string: "http://localhost:\(port)") else {
      return search.completion(fallback)
    }
    let request = HTTPRequest(method: "GET", url: base.appendingPathComponent("health"), timeouts: timeouts)
    search.transport.send(request) { answer in
      let health = answer.status == 200 ? try? JSONDecoder().decode(Health.self, from: answer.body) : nil
      search.queue.async {
        guard search.isWanted() else { return search.completion(nil) }
        if let health, health.deviceId?.lowercased() == deviceId.lowercased() { return search.completion(base) }
        ask(ports.dropFirst(), fallback ?? (health != nil && health?.deviceId == nil ? base : nil), search)
      }
    }
  }

  private struct Health: Decodable {
    var status: String
    var deviceId: String?
  }
}
