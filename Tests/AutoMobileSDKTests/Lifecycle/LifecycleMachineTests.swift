import Foundation
import Testing

@testable import AutoMobileRecorder

/// The rules of lifecycle events, against a table of what is stored and every order of what can happen.
@Suite struct LifecycleMachineTests {
  static let app = AppVersion(version: "2.0", build: "20")

  struct Stored: Sendable, CustomTestStringConvertible {
    var name: String
    var app: AppVersion?
    var hadIdentity: Bool
    var expected: [LifecycleEvent]
    var testDescription: String { name }
  }

  private static func updated(_ version: String, _ build: String) -> [LifecycleEvent] {
    [.updated(app, previous: AppVersion(version: version, build: build))]
  }

  /// What the launch says of the installation.
  static let table: [Stored] = [false, true].flatMap { hadIdentity in
    [
      Stored(
        name: "nothing", app: nil, hadIdentity: hadIdentity,
        expected: hadIdentity ? updated("unknown", "unknown") : [.installed(app)]),
      Stored(name: "the same", app: app, hadIdentity: hadIdentity, expected: []),
      Stored(
        name: "another version", app: AppVersion(version: "1.0", build: "20"), hadIdentity: hadIdentity,
        expected: updated("1.0", "20")),
      Stored(
        name: "another build", app: AppVersion(version: "2.0", build: "19"), hadIdentity: hadIdentity,
        expected: updated("2.0", "19")),
      Stored(
        name: "a later one", app: AppVersion(version: "3.0", build: "30"), hadIdentity: hadIdentity,
        expected: updated("3.0", "30")),
      Stored(
        name: "a version without a build", app: AppVersion(version: "2.0", build: "unknown"), hadIdentity: hadIdentity,
        expected: updated("2.0", "unknown")),
    ]
  }

  @Test(arguments: table, ApplicationState.allCases)
  func `a launch tells what was installed, and that it was opened if it was`(_ stored: Stored, state: ApplicationState)
  {
    var machine = LifecycleMachine(app: Self.app)
    let opened: [LifecycleEvent] = state == .active ? [.opened(Self.app, fromBackground: false, link: nil)] : []
    let launch = machine.launch(state, previous: stored.app, hadIdentity: stored.hadIdentity)
    #expect([launch.installation, launch.opening].compactMap { $0 } == stored.expected + opened)
    #expect(machine.launch(.active, previous: nil, hadIdentity: false) == .init(), "once")
  }

  enum Step: CaseIterable { case launch, active, background, terminate, link }

  /// Every order of signals up to a length, with the launch anywhere in it, against rules that look at the whole story.
  @Test(arguments: ApplicationState.allCases)
  func `in every order, what is opened and closed alternates, and links are told once`(_ state: ApplicationState) {
    var stories: [[Step]] = [[]]
    for _ in 1...7 {
      stories = stories.flatMap { story in Step.allCases.map { story + [$0] } }
      for story in stories { check(story, state) }
    }
  }

  private func check(_ story: [Step], _ state: ApplicationState) {
    var machine = LifecycleMachine(app: Self.app)
    var told: [LifecycleEvent] = []
    for (index, step) in story.enumerated() {
      switch step {
      case .launch:
        let launch = machine.launch(state, previous: Self.app, hadIdentity: true)
        told += [launch.installation, launch.opening].compactMap { $0 }
      case .active: told += machine.receive(.becameActive)
      case .background: told += machine.receive(.enteredBackground)
      case .terminate: told += machine.receive(.willTerminate)
      case .link: machine.note(Self.link(index))
      }
    }
    let expected = Self.expected(story, state)
    // `#expect` for each of a hundred thousand stories would be what takes the time.
    if told != expected { Issue.record("\(story) from \(state): \(told), not \(expected)") }
  }

  private static func link(_ index: Int) -> DeepLink {
    DeepLink(URL(filePath: "/\(index)"), sourceApplication: nil, redaction: nil)
  }

  /// The same rules, said backwards: where the app is after each step follows from the last that moved it.
  private static func expected(_ story: [Step], _ state: ApplicationState) -> [LifecycleEvent] {
    guard let launch = story.firstIndex(of: .launch) else { return [] }
    var events: [LifecycleEvent] = []
    var isOpen = false
    for (index, step) in story.enumerated() where index >= launch {
      let opens = index == launch ? state == .active : step == .active
      let closes = step == .background || step == .terminate
      if opens, !isOpen {
        let hasOpened = events.contains { $0.name == "Application Opened" }
        // The last link since the last event that could carry one.
        let since = carriers(story, state, before: index).last ?? -1
        let link = story.indices.last { story[$0] == .link && $0 < index && $0 > since }.map(link)
        events.append(.opened(app, fromBackground: hasOpened, link: link))
        isOpen = true
      } else if closes, isOpen {
        events.append(.backgrounded)
        isOpen = false
      }
    }
    return events
  }

  /// The steps before `index` that were told as an opening.
  private static func carriers(_ story: [Step], _ state: ApplicationState, before index: Int) -> [Int] {
    guard let launch = story.firstIndex(of: .launch) else { return [] }
    var carriers: [Int] = []
    var isOpen = false
    for step in launch..<index {
      if step == launch ? state == .active : story[step] == .active {
        if !isOpen { carriers.append(step) }
        isOpen = true
      } else if story[step] == .background || story[step] == .terminate {
        isOpen = false
      }
    }
    return carriers
  }
}
