extension SdkRuntime {
  /// Once, on the thread that initializes, or later, when recording was switched off then.
  func startSubsystems() {
    let wanted = wantedSubsystems.withLock { wanted -> AutoMobileSubsystems? in
      defer { wanted.haveStarted = true }
      return wanted.haveStarted ? nil : wanted.names
    }
    guard let wanted, !recorder.isShutDown else { return }
    let host = subsystemHost
    if let postMortem { earlierLaunches.add(.crashes) { _ in postMortem.lookForCrashes() } }
    for subsystem in subsystems {
      // The app may have switched it on by its own means.
      let isWanted = wanted.isSuperset(of: subsystem.name) || subsystem.isEnabled()
      subsystem.start(host)
      subsystem.setEnabled(isWanted, host)
    }
    // What somebody has said meanwhile may have come before what was done here.
    let now = wantedSubsystems.withLock { $0.names }
    for subsystem in subsystems where wanted.isSuperset(of: subsystem.name) != now.isSuperset(of: subsystem.name) {
      setAsWanted(subsystem, host)
    }
    startLaunchEnd()
    // The start is not over before that is.
    startWork.add("earlier launches") { [earlierLaunches] in earlierLaunches.look() }
  }

  /// They are started when recording is switched on.
  func restSubsystems() {
    let host = subsystemHost
    for subsystem in subsystems { subsystem.rest(host) }
  }

  /// Before anybody else can say anything: what the app has said until now.
  func setWanted(_ switches: SubsystemSwitches) {
    let wanted = switches.applied(to: configuration.subsystems)
    wantedSubsystems.withLock { $0.names = wanted }
    lifecycle?.setEnabled(wanted.contains(.lifecycleEvents))
  }

  func setEnabled(_ enabled: Bool, for names: AutoMobileSubsystems) {
    let observes = wantedSubsystems.withLock { wanted in
      if enabled { wanted.names.formUnion(names) } else { wanted.names.subtract(names) }
      return wanted.haveStarted && !wanted.rest
    }
    if names.contains(.lifecycleEvents) { lifecycle?.setEnabled(enabled) }
    guard observes, !recorder.isShutDown else { return }
    let host = subsystemHost
    for subsystem in subsystems where !subsystem.name.isDisjoint(with: names) { setAsWanted(subsystem, host) }
  }

  /// Of several threads that say something of a subsystem, each sees whether it had the last word, so that in the end it is as
  /// it was wanted last.
  private func setAsWanted(_ subsystem: SdkEnvironment.Subsystem, _ host: SubsystemHost) {
    var told: Bool?
    while true {
      let isWanted = wantedSubsystems.withLock { !$0.rest && $0.names.isSuperset(of: subsystem.name) }
      guard isWanted != told else { return }
      subsystem.setEnabled(isWanted, host)
      told = isWanted
    }
  }

  /// Has them observe nothing for now, or again what they did before. What the app wants stays as it is.
  func setSubsystemsResting(_ rest: Bool) {
    let host = subsystemHost
    // What the app has switched on or off by its own means counts, too.
    var known: AutoMobileSubsystems = []
    var on: AutoMobileSubsystems = []
    for subsystem in subsystems {
      known.formUnion(subsystem.name)
      if subsystem.isEnabled() { on.formUnion(subsystem.name) }
    }
    let wanted = wantedSubsystems.withLock { [known, on] wanted -> AutoMobileSubsystems? in
      guard wanted.haveStarted, wanted.rest != rest else { return nil }
      wanted.rest = rest
      if rest { wanted.names = wanted.names.subtracting(known).union(on) }
      return wanted.names
    }
    guard let wanted else { return }
    for subsystem in subsystems where !subsystem.name.isEmpty {
      subsystem.setEnabled(!rest && wanted.isSuperset(of: subsystem.name), host)
    }
    postMortem?.setResting(rest)
  }

  func isEnabled(_ names: AutoMobileSubsystems) -> Bool {
    // While they rest, what they will be.
    let resting = wantedSubsystems.withLock { $0.rest || !$0.haveStarted ? $0.names : nil }
    if let resting { return resting.isSuperset(of: names) }
    var missing = names
    if lifecycle?.isEnabled == true { missing.remove(.lifecycleEvents) }
    for subsystem in subsystems where !subsystem.name.isDisjoint(with: names) && subsystem.isEnabled() {
      missing.subtract(subsystem.name)
    }
    return missing.isEmpty
  }

  var subsystemHost: SubsystemHost {
    SubsystemHost(
      bundleId: bundleId, configuration: configuration, buffer: buffer, context: context, breadcrumbs: breadcrumbs,
      journal: journal, control: control, directory: directory, earlierLaunches: earlierLaunches,
      currentScreen: currentScreen, postMortem: postMortem, startWork: startWork,
      erasedAt: { [consent] in consent.erasedAt })
  }
}
