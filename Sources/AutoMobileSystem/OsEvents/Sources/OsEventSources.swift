/// Whom the operating system tells, on this platform.
enum OsEventSources {
  static var system: [any OsEventSource] {
    var sources: [any OsEventSource] = []
    #if canImport(UIKit) && !os(watchOS)
    sources.append(ApplicationStageSource())
    #elseif canImport(AppKit)
    sources.append(ApplicationStageSource())
    #endif
    #if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    sources.append(BatterySource())
    #endif
    #if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
    sources.append(BrightnessSource())
    #endif
    #if canImport(Network)
    sources.append(ConnectivitySource())
    #endif
    return sources
  }
}
