extension SdkRuntime {
  /// Once, on the thread that initializes, or later, when recording was switched off then.
  func startSubsystems() {
    let wanted = wantedSubsystems.withLock { wanted -> AutoMobileSubsystems? in
      defer { wanted.haveStarted = true }
      return wanted.haveStarted ? nil : wanted.names
    }
    guard let wanted, !recorder.isShutDown else { return }
    let host = subsystemHost
    earlierLaunches.add(.crashes) { [previousCrashes] _ in previousCrashes.look() }
    for subsystem in subsystems {
      // The app may have switched it on by its own means.
      let isWanted = wanted.isSuperset(of: subsystem.name) || subsystem.isEnabled()
      subsystem.start(host)
      subsystem.setEnabled(isWanted, host)
    }
    startLaunchEnd()
    // The start is not over before that is.
    startWork.add("earlier launches") { [earlierLaunches] in earlierLaunches.look() }
  }

  func setEnabled(_ enabled: Bool, for names: AutoMobileSubsystems) {
    let haveStarted = wantedSubsystems.withLock { wanted in
      if enabled { wanted.names.formUnion(names) } else { wanted.names.subtract(names) }
      return wanted.haveStarted
    }
    if names.contains(.lifecycleEvents) { lifecycle?.setEnabled(enabled) }
    guard haveStarted, !recorder.isShutDown else { return }
    let host = subsystemHost
    for subsystem in subsystems where !subsystem.name.isDisjoint(with: names) { subsystem.setEnabled(enabled, host) }
  }

  func isEnabled(_ names: AutoMobileSubsystems) -> Bool {
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
      currentScreen: currentScreen, previousCrashes: previousCrashes, startWork: startWork)
  }
}
