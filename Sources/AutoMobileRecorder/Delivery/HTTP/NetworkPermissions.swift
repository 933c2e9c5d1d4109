import Foundation

/// Over which networks something may be sent.
package struct NetworkPermissions: Sendable, Equatable {
  /// In Low Data Mode.
  package var allowsConstrained: Bool
  /// Where it costs by volume.
  package var allowsExpensive: Bool

  package init(allowsConstrained: Bool = true, allowsExpensive: Bool = true) {
    self.allowsConstrained = allowsConstrained
    self.allowsExpensive = allowsExpensive
  }

  /// For what the app did not restrict.
  package static let all = NetworkPermissions()

  #if canImport(Darwin)
  func apply(to configuration: URLSessionConfiguration) {
    configuration.allowsConstrainedNetworkAccess = allowsConstrained
    configuration.allowsExpensiveNetworkAccess = allowsExpensive
  }

  /// Why the system had no network for a request, in words; nil when that was not for what is not permitted.
  static func refusal(of error: any Error) -> String? {
    // The value of `URLError.NetworkUnavailableReason`.
    switch (error as NSError).userInfo["NSURLErrorNetworkUnavailableReasonKey"] as? Int {
    case 2: "the network is in Low Data Mode, in which nothing is sent (delivery.allowsConstrainedNetwork)"
    case 0, 1: "the network is metered, and nothing is sent over it (delivery.allowsExpensiveNetwork)"
    default: nil
    }
  }
  #endif
}

extension DeliveryPolicy {
  package var networks: NetworkPermissions {
    NetworkPermissions(allowsConstrained: allowsConstrainedNetwork, allowsExpensive: allowsExpensiveNetwork)
  }
}
