import Foundation

/// What kind of program the SDK runs in: only an application has a life that somebody tells of.
enum ProgramKind: Equatable {
  case application
  /// An app extension: no `UIApplication`, and other processes of the app beside it.
  case appExtension
  /// A command-line tool, a daemon, an XPC service.
  case tool

  /// Of this process. Elsewhere than on Apple's systems, where programs are no bundles, the stand-ins have an application.
  static var current: ProgramKind {
    #if canImport(Darwin)
    return ProgramKind(bundlePath: Bundle.main.bundlePath, isDesktop: isDesktop)
    #else
    return .application
    #endif
  }

  /// - Parameters:
  ///   - bundlePath: the main bundle's; that of a program that is no bundle is the directory that it lies in.
  ///   - isDesktop: macOS, where there are programs that are neither.
  init(bundlePath: String, isDesktop: Bool) {
    let name = bundlePath.hasSuffix("/") ? String(bundlePath.dropLast()) : bundlePath
    if name.hasSuffix(".appex") {
      self = .appExtension
    } else {
      self = !isDesktop || name.hasSuffix(".app") ? .application : .tool
    }
  }

  private static var isDesktop: Bool {
    #if os(macOS)
    true
    #else
    false
    #endif
  }
}
