import AutoMobileJournal
import Foundation

extension DeliveryWorker {
  /// The worker for an app's configuration; nil when `endpoint` is not an address that can be posted to.
  ///
  /// - Parameters:
  ///   - endpoint: the configured base URL, or the default one.
  ///   - directory: the journal's, in which refused events are kept.
  ///   - environment: the process's; tells when it runs in a simulator, whose receiver has to be looked for.
  convenience init?(
    journal: Journal, endpoint: URL, configuration: AutoMobileConfiguration, bundleId: String?, directory: URL,
    sdkVersion: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
    transport: any HTTPTransport = URLSessionTransport(), clock: DeliveryClock = .system
  ) {
    guard let target = DeliveryEndpoint(base: endpoint, apiKey: configuration.apiKey) else { return nil }
    var options = DeliveryOptions(.endpoint(target))
    if configuration.endpoint == nil, let simulator = SimulatorReceiver(environment: environment) {
      options.destination = .simulator(simulator)
    }
    options.apiKey = configuration.apiKey
    options.sender = DeliverySender(bundleId: bundleId, sdkVersion: sdkVersion)
    options.setAside = SetAsideFile(url: directory.appendingPathComponent(SetAsideFile.name))
    self.init(journal: journal, options: options, transport: transport, clock: clock)
  }
}
