import Foundation

/// What an app uses of the SDK while it runs, for injection: code that takes an `any AutoMobileAPI` can be tested
/// without the SDK.
public protocol AutoMobileAPI: AnyObject, Sendable {
  var isInitialized: Bool { get }
  var isEnabled: Bool { get }
  func setEnabled(_ enabled: Bool)

  func record<E: SdkEvent>(_ event: E)
  func trackEvent(name: String, properties: [String: String])
  func trackEvent(name: String, properties: [String: MetadataValue])
  func notifyNavigationEvent(_ event: NavigationEvent)
  func addBreadcrumb(_ breadcrumb: Breadcrumb)
  func flush()

  func currentSessionId() -> String?
  func setUserId(_ userId: String?)
  func setTag(_ key: String, value: String)
  func removeTag(_ key: String)

  func observeBatches(_ observer: @escaping @Sendable ([any SdkEvent]) -> Void) -> BatchObservation
  func breadcrumbs() -> [Breadcrumb]
  func previousLaunchBreadcrumbs() -> [Breadcrumb]
  var diagnostics: AutoMobileDiagnostics { get }
}
