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
  func find(_ transport: any RequestTransport, completion: @escaping @Sendable (URL?) -> Void) {
    ask(ports[...], transport, fallback: nil, completion)
  }

  private func ask(
    _ ports: ArraySlice<Int>, _ transport: any RequestTransport, fallback: URL?,
    _ completion: @escaping @Sendable (URL?) -> Void
  ) {
    guard let port = ports.first, let base = URL(string: "http://localhost:\(port)") else {
      return completion(fallback)
    }
    let request = HTTPRequest(method: "GET", url: base.appendingPathComponent("health"), timeouts: timeouts)
    transport.send(request) { answer in
      var fallback = fallback
      if answer.status == 200, let health = try? JSONDecoder().decode(Health.self, from: answer.body) {
        if health.deviceId?.lowercased() == deviceId.lowercased() { return completion(base) }
        if health.deviceId == nil, fallback == nil { fallback = base }
      }
      ask(ports.dropFirst(), transport, fallback: fallback, completion)
    }
  }

  private struct Health: Decodable {
    var status: String
    var deviceId: String?
  }
}
