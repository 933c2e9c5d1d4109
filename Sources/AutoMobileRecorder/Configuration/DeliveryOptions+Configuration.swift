import Foundation

extension DeliveryOptions {
  /// Where and how to deliver: to the configured endpoint, in every build; else to the default one, as far as this
  /// build has one. Nil: nowhere.
  ///
  /// - Throws: ``EndpointError`` when what is configured is no address to deliver to.
  init?(
    _ configuration: AutoMobileConfiguration, bundleId: String?, directory: URL, environment: SdkEnvironment
  ) throws(EndpointError) {
    if let base = configuration.endpoint {
      guard let endpoint = DeliveryEndpoint(base: base, apiKey: configuration.apiKey) else {
        throw EndpointError(url: base)
      }
      self.init(.endpoint(endpoint))
    } else if let base = environment.defaultEndpoint,
      let endpoint = DeliveryEndpoint(base: base, apiKey: configuration.apiKey)
    {
      // Several simulators share the developer's machine: each has a receiver of its own.
      self.init(SimulatorReceiver(environment: environment.variables).map(Destination.simulator) ?? .endpoint(endpoint))
    } else {
      return nil
    }
    // Whoever watches on the same machine wants to see it now, and no network is in between.
    if case .endpoint(let endpoint) = destination, !endpoint.isLocal { pace = configuration.delivery }
    policy = environment.retryPolicy
    apiKey = configuration.apiKey
    sender = DeliverySender(bundleId: bundleId, sdkVersion: AutoMobileSDK.version)
    setAside = SetAsideFile(url: directory.appendingPathComponent(SetAsideFile.name, isDirectory: false))
  }
}

/// An endpoint that nothing can be delivered to.
struct EndpointError: Error, CustomStringConvertible {
  var url: URL

  var description: String {
    "nothing is delivered, because the endpoint \(url.absoluteString) is not an http or https URL with a host"
  }
}
