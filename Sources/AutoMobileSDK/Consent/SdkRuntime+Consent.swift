import Dispatch

/// What the user has allowed, and what it takes to forget.
extension SdkRuntime {
  /// From here on nothing is recorded that may not be; the rest follows in the background.
  func setConsent(_ consent: Consent, completion: (@Sendable () -> Void)? = nil) {
    self.consent.say(consent)
    recorder.isDenied = consent == .denied
    presence.async { [self] in
      // Also when something else has been said meanwhile: what was there before has to go.
      let isDenial = consent == .denied
      self.consent.keep(erasedAt: isDenial ? Clocks.millisecondsSince1970() : nil)
      follow()
      if isDenial { erase { completion?() } } else { completion?() }
    }
  }

  /// Has everything forgotten, and goes on as before.
  func eraseAll(completion: @escaping @Sendable () -> Void) {
    presence.async { [self] in
      consent.keep(erasedAt: Clocks.millisecondsSince1970())
      // Before the files go: who records at this moment does it for somebody who is not known.
      forgetUser()
      erase(completion)
    }
  }

  /// Another process may have said something: looks, at most once a second. Any thread.
  func lookAtConsent() {
    guard consent.isDue(at: Clocks.continuousMilliseconds()) else { return }
    presence.async { [weak self] in
      guard let self else { return }
      let (isChanged, isErased) = consent.look()
      recorder.isDenied = consent.current == .denied
      if isErased, consent.current != .denied { forgetUser() }
      if isChanged { follow() }
      if isErased || isChanged && consent.current == .denied { erase() }
    }
  }

  /// The user and the installation's name are gone, here and where they are kept.
  func forgetUser() {
    identity?.erase()
    context.forgetUser(anonymousId: identity?.anonymousId)
    currentScreen.note("")
    // What comes now has nothing to do with what was before.
    sessions.renew()
  }

  /// What is done in the background of a start may write files: it is waited for, a few seconds at most.
  private func waitForStart(_ group: DispatchGroup) {
    guard hasStarted else { return }
    group.enter()
    let isOver = Locked(false)
    let leave: @Sendable () -> Void = {
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      if isFirst { group.leave() }
    }
    startWork.whenFinished(leave)
    presence.asyncAfter(deadline: .now() + 5, execute: leave)
  }

  /// Leaves nothing behind of what was recorded until now. On ``presence``; goes on in the background.
  func erase(_ completion: @escaping @Sendable () -> Void = {}) {
    if consent.current == .denied {
      forgetUser()
      // It would write its file anew.
      crashLoopGuard.withLock { $0 }?.abandon()
      // They rest, and what they keep for when they go on goes as well.
      for subsystem in subsystems { subsystem.erase() }
    }
    let group = DispatchGroup()
    waitForStart(group)
    erasers.erase(in: group)
    if let delivery {
      group.enter()
      delivery.giveUp { group.leave() }
    }
    group.notify(queue: presence) { [self] in
      let isDenied = consent.current == .denied
      RecordedFiles(place, environment).erase(isForGood: isDenied)
      journal.erase(everybodys: place.isAppsOwn, thenKeep: !isDenied && recorder.isWanted)
      previousCrashes.forget()
      completion()
    }
  }
}
