import Foundation
import Testing

@testable import AutoMobileRecorder

/// Where code of the app is called, and where system frameworks come in: all of it behind the barrier.
@Suite struct BarrierEntryTests {
  private static let modules = SwiftSource.sdkModules + ["AutoMobileReplay"]

  private enum Callback {
    /// Called behind the barrier, there.
    case at(BarrierPlace)
    /// Not called, or not by the SDK alone, because …
    case not(String)
  }

  /// What an app can hand to the SDK to be called later, by file and name: closures of public declarations, and public
  /// protocols. A new one has to be put down here, with the place at which it is called.
  private let callbacks: [String: Callback] = [
    "AutoMobileAPI.swift AutoMobileAPI": .not("the app calls it"),
    "AutoMobileAuthenticationContext+LocalAuthentication.swift evaluatePolicy": .at(.authenticationReply),
    "AutoMobileCrashes.swift currentScreenProvider": .at(.currentScreenProvider),
    "AutoMobileSessionDelegate+Calls.swift urlSession": .not("the session's handlers, handed on to the app's delegate"),
    "AutoMobileSDK+Breadcrumbs.swift addBreadcrumbProcessor": .at(.breadcrumbProcessor),
    "AutoMobileSDK+Events.swift addEventProcessor": .at(.eventProcessor),
    "AutoMobileSDK+Events.swift observeBatches": .at(.batchObserver),
    "AutoMobileSDK+LaunchEnd.swift whenPreviousLaunchEndIsKnown": .at(.previousLaunchEnd),
    "AutoMobileSDK+Navigation.swift addNavigationListener": .at(.navigationListener),
    "AutoMobileWebSocketTask.swift receive": .at(.webSocketHandler),
    "AutoMobileSDK+Consent.swift eraseAll": .at(.consentCompletion),
    "AutoMobileSDK+Consent.swift setConsent": .at(.consentCompletion),
    "AutoMobileWebSocketTask.swift send": .at(.webSocketHandler),
    "AutoMobileWebSocketTask.swift sendPing": .at(.webSocketHandler),
    "BreadcrumbTracking.swift BreadcrumbTracking": .not("the app calls it"),
    "DatabaseDriver.swift DatabaseDriver": .at(.databaseDriver),
    "DropCounting.swift DropCounting": .at(.dropCounter),
    "EventBroadcasting.swift EventBroadcasting": .not("the app calls it"),
    "EventBuffering.swift EventBuffering": .not("the app calls it"),
    "EventPersisting.swift EventPersisting": .at(.eventPersistence),
    "GCDTimer.swift schedule": .not("the SDK's own blocks; an app that uses the timer itself is not called by us"),
    "NavigationFrameworkAdapter.swift NavigationFrameworkAdapter": .not("the app calls it"),
    "NavigationListener.swift NavigationListener": .at(.navigationListener),
    "NavigationListener.swift init": .at(.navigationListener),
    "Replay.swift start": .at(.replayCompletion),
    "Replay.swift stop": .at(.replayCompletion),
    "SdkEvent.swift SdkEvent": .at(.eventEncoding),
    "SdkEventBuffer.swift init": .at(.flush),
    "SdkSpanContext+Current.swift setSource": .not("the project's own packages beside the SDK, by their interface"),
    "SessionTracker.swift init": .at(.sessionIdProvider),
    "SessionTracking.swift SessionTracking": .not("the SDK's own tracker is the one that is called"),
    "TimerScheduling.swift TimerScheduling": .at(.timer),
    "TrackNavigationPath+SwiftUI.swift trackNavigationPath": .at(.viewAppearance),
    "ViewBodyTracker+SwiftUI.swift init": .not("the content of a view, which SwiftUI asks the view for"),
    "ViewBodyTracker.swift setEnabled": .at(.timer),
    "UIKitScreens+UIKit.swift AutoMobileScreen": .at(.viewAppearance),
    "UserDefaultsChangeListener.swift UserDefaultsChangeListener": .at(.userDefaultsListener),
    "UserDefaultsDriver.swift UserDefaultsDriver": .at(.userDefaultsDriver),
  ]

  @Test func `every closure and protocol that an app can hand over is known`() throws {
    var found: Set<String> = []
    for source in try Self.modules.flatMap(SwiftSource.all) {
      for declaration in source.publicDeclarations where takesCode(declaration) {
        found.insert(source.name + " " + name(of: declaration))
      }
    }
    let unknown = found.subtracting(callbacks.keys)
    #expect(unknown.isEmpty, "say in this file where these are called behind ErrorBarrier")
    let gone = Set(callbacks.keys).subtracting(found)
    #expect(gone.isEmpty, "these are no more: remove them from this file")
  }

  @Test func `every place of the barrier is one at which it stands`() throws {
    let code = try Self.modules.flatMap(SwiftSource.all).map(\.code).joined()
    for place in BarrierPlace.allCases {
      let stands = ["ErrorBarrier.run(.\(place.rawValue)", "at: .\(place.rawValue)"].contains { code.contains($0) }
      #expect(stands, "nothing is called at \(place)")
    }
    for case .at(let place) in callbacks.values { #expect(BarrierPlace.allCases.contains(place)) }
  }

  /// Which files come in from system frameworks is told by what they use of them.
  @Test func `whatever a system framework calls begins with the barrier`() throws {
    var count = 0
    for source in try Self.modules.flatMap(SwiftSource.all) {
      count += entries(source.code).count
      #expect(unguarded(source.code) == [], "\(source.path): the body must begin with ErrorBarrier.run")
    }
    #expect(count >= 6, "the ones that there were when this was written are found")
  }

  @Test func `an entry without the barrier is noticed`() {
    let samples = [
      "center.addObserver(forName: .a, object: nil, queue: nil) { [weak self] _ in self?.go() }",
      "@objc private func tapped(_ sender: UIButton) { go() }",
      "func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { go() }",
      "AMObserveObjectMethod(UIWindow.self, sendEvent) { window, event in go(event) }",
      "CADisplayLink(target: AMBlockTarget { link in go() }, selector: AMBlockTarget.action)",
      "content.onAppear { go() }",
      "content\n.onChange(of: value) { value in\n go(value) }",
    ]
    for sample in samples {
      #expect(unguarded(sample).count == 1, "\(sample)")
    }
    #expect(unguarded("content.onAppear { ErrorBarrier.run(.viewAppearance) { go() } }") == [])
    #expect(unguarded("content.onChange(of: a) { [b] value in ErrorBarrier.run(.viewAppearance) { go() } }") == [])
  }

  /// The heads of entries whose body does not begin with the barrier.
  private func unguarded(_ code: String) -> [String] {
    entries(code).compactMap { entry in
      let body = entry.drop { $0 != "{" }.dropFirst()
      // A closure's captures and parameters come before its body.
      let statement = body.replacing(#/^\s*(\[[^\]]*\])?[^\n{}(]*\bin\b/#, with: "").drop(while: \.isWhitespace)
      return statement.hasPrefix("ErrorBarrier.run(") ? nil : String(entry.prefix { $0 != "{" })
    }
  }

  /// Where a framework calls: each from its name to the file's end.
  private func entries(_ code: String) -> [Substring] {
    let patterns: [Regex<Substring>] = [
      // Blocks given to NotificationCenter, and what runs on the main thread by our own hand, among UIKit's callbacks.
      #/addObserver\(\s*forName:[^{]*\{/#,
      // Delegate methods and actions.
      #/@objc\b[^{]*\bfunc\b[^{]*\{/#,
      #/func (?:urlSession|userNotificationCenter|didReceive)\([^{]*\{/#,
      // Methods that are observed, targets of actions.
      #/AMObserve(?:Object|Flag)Method\([^{]*\{/#,
      #/AMBlockTarget \{/#,
      // SwiftUI.
      #/\.(?:onAppear|onDisappear|onChange|onReceive|task)(?:\([^{\n]*\))? \{/#,
    ]
    return patterns.flatMap { pattern in code.ranges(of: pattern).map { code[$0.lowerBound...] } }
  }

  /// A closure that is kept, or a protocol to conform to.
  private func takesCode(_ declaration: String) -> Bool {
    let isProtocol = declaration.contains(#/^public protocol /#)
    let isKeptClosure = declaration.contains("@escaping") || declaration.contains(#/\) *-> *[^,()]*\)\?/#)
    let isVariable = declaration.contains(#/^public (?:static |weak )*(?:var|let) \w+: .*->/#)
    return isProtocol || isKeptClosure || isVariable || declaration.contains(#/^public typealias .*->/#)
  }

  private func name(of declaration: String) -> String {
    let pattern = #/\b(?:func|var|let|protocol|typealias) +(\w+)|\b(init|subscript)\b/#
    guard let match = declaration.firstMatch(of: pattern) else { return declaration }
    return String(match.1 ?? match.2 ?? "")
  }
}
