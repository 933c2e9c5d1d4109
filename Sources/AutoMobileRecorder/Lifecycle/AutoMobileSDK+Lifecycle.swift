import Foundation

extension AutoMobileSDK {
  /// Tells of an address that opened the app: the next `Application Opened` carries it as `url`, and the app that asked for
  /// it as `referring_application`. Of several before that event, the last one counts. Any thread; also before
  /// `initialize(bundleId:configuration:)`.
  ///
  ///     func application(
  ///       _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ///     ) -> Bool {
  ///       AutoMobileSDK.shared.openURL(url, sourceApplication: options[.sourceApplication] as? String)
  ///       return true
  ///     }
  ///
  /// Values of the query that look like secrets are left out, those whose names
  /// `AutoMobileNetwork.setRedactedFields(_:)` was given among them; see ``AutoMobileConfiguration/redactsDeepLinks``. When
  /// ``AutoMobileConfiguration/trackLifecycleEvents`` is off, nothing is kept, and ``diagnostics`` says so.
  public func openURL(_ url: URL, sourceApplication: String?) {
    withRuntime { sdk, runtime in sdk.note(url, sourceApplication, runtime) }
  }

  private func note(_ url: URL, _ sourceApplication: String?, _ runtime: SdkRuntime) {
    let redaction = runtime.configuration.redactsDeepLinks ? AddressRedaction.current : nil
    let link = DeepLink(url, sourceApplication: sourceApplication, redaction: redaction)
    guard runtime.lifecycle?.note(link) != true else { return }
    state.withLock {
      $0.lastError =
        "openURL: lifecycle events are not recorded here (trackLifecycleEvents), so nothing carries the address"
    }
  }

  /// The same as ``openURL(_:sourceApplication:)``.
  public func handleDeepLink(url: URL, sourceApplication: String?) {
    openURL(url, sourceApplication: sourceApplication)
  }
}
