import Dispatch

/// What the user has allowed, and what it takes to forget.
extension SdkRuntime {
  /// From here on nothing is recorded that may not be; the rest follows in the background, one decision after the other.
  func setConsent(_ consent: Consent, completion: @escaping @Sendable () -> Void = {}) {
    self.consent.say(consent)
    // Something may be recorded only when what was there before has been erased.
    if consent == .denied { recorder.isDenied = true }
    let isNow = erasures.add { [self] done in
      presence.async { [self] in
        // Also when something else has been said meanwhile: what was there before has to go.
        let isDenial = consent == .denied
        self.consent.keep(erasedAt: isDenial ? Clocks.millisecondsSince1970() : nil)
        recorder.isDenied = isDenial
        followedConsent.withLock { $0 = consent }
        follow()
        let end: @Sendable () -> Void = {
          done()
          completion()
        }
        if isDenial { erase(.denial, end) } else { end() }
      }
    }
    if isNow, consent != .denied { recorder.isDenied = false }
  }

  /// Calls back, in the background, when all that has been decided until now has been carried out.
  func afterDecisions(_ completion: @escaping @Sendable () -> Void) {
    erasures.add { [self] done in
      presence.async {
        done()
        completion()
      }
    }
  }

  /// What is there in a launch that is denied from its beginning.
  func eraseWhatIsDenied() {
    erasures.add { [self] done in presence.async { [self] in erase(.denial, done) } }
  }

  /// Has everything forgotten, and goes on as before.
  func eraseAll(completion: @escaping @Sendable () -> Void) {
    // Others may be first, or initialization: nothing of what is to go is sent until then.
    consent.askForErasure(true)
    delivery?.beginErasure {}
    erasures.add { [self] done in
      presence.async { [self] in
        consent.keep(erasedAt: Clocks.millisecondsSince1970())
        erase(.request) { [self] in
          consent.askForErasure(false)
          delivery?.endErasure()
          done()
          completion()
        }
      }
    }
  }

  /// Erases what an earlier launch, or another process, was to erase when it died of it; what this launch records stays.
  func endErasureOfAnotherOne() {
    delivery?.beginErasure {}
    earlierLaunches.firstLater { [self] in
      let (erasedAt, everybodys) = (consent.erasedAt, place.isAppsOwn)
      RecordedFiles(place, environment, everybodys: everybodys).erase(isForGood: false)
      journal.eraseEarlier(before: erasedAt, everybodys: everybodys)
      erasures.add { [self] done in
        // Others that keep something: not before the SDK is initialized.
        presence.async { [self] in
          let gathering = Gathering()
          erasers.erase(gathering)
          gathering.whenAll { [self] in
            presence.async { [self] in
              RecordedFiles(place, environment, everybodys: everybodys).eraseReplays()
              environment.forgetCredentials?()
              consent.followErasure(of: erasedAt)
              consent.endErasure(of: erasedAt)
              delivery?.endErasure()
              erasers.tellOver()
              done()
            }
          }
        }
      }
    }
  }

  /// Another process may have said something: looks, at most once a second. Any thread.
  ///
  /// - Parameter isUrgent: it has, as far as delivery can see.
  func lookAtConsent(isUrgent: Bool = false) {
    guard consent.isDue(at: Clocks.continuousMilliseconds()) || isUrgent else { return }
    erasures.add { [weak self] done in
      guard let self else { return done() }
      presence.async { [self] in
        let news = consent.look()
        let (isChanged, isErased) = (news.isChanged, news.isErased)
        let current = consent.current
        let isDenied = current == .denied
        recorder.isDenied = isDenied
        followedConsent.withLock { $0 = current }
        if isChanged { follow() }
        // Whoever said it has erased what all had on disk until then; what has come since is theirs.
        if isErased || isChanged && isDenied { erase(isDenied ? .heardDenial : .heardRequest, done) } else { done() }
        if news.isErasing, !isDenied { waitForErasureOfAnotherOne() }
      }
    }
  }

  /// Nothing is sent until another process has erased what lies there: looks again whether it has, and does it in the end.
  private func waitForErasureOfAnotherOne() {
    if consent.isErasureOverdue(at: Clocks.millisecondsSince1970()) { return endErasureOfAnotherOne() }
    presence.asyncAfter(deadline: .now() + 1) { [weak self] in self?.delivery?.wake() }
  }

  /// Why something is erased.
  enum Erasure {
    /// The user has said no, and nothing is kept from then on.
    case denial
    /// The user wants to be forgotten, and goes on.
    case request
    /// The same, by the word of another process.
    case heardDenial, heardRequest

    var isDenial: Bool { self == .denial || self == .heardDenial }
    var isHeard: Bool { self == .heardDenial || self == .heardRequest }
  }

  /// The user and the installation's name are gone, here and where they are kept.
  private func forgetUser() {
    identity?.erase(at: consent.erasedAt)
    context.forgetUser(anonymousId: identity?.anonymousId)
    currentScreen.note("")
    // What comes now has nothing to do with what was before.
    sessions.renew()
  }

  /// Leaves nothing behind of what was recorded until now. On ``presence``; goes on in the background.
  private func erase(_ erasure: Erasure, _ completion: @escaping @Sendable () -> Void) {
    // Before the files go: who records at this moment does it for somebody who is not known.
    forgetUser()
    if erasure.isDenial {
      // It would write its file anew.
      crashLoopGuard.withLock { $0 }?.abandon()
    }
    // Those that rest keep nothing for when they go on.
    for subsystem in environment.subsystems { subsystem.erase(erasure.isDenial) }
    let gathering = Gathering()
    waitForStart(gathering.enter())
    erasers.erase(gathering)
    if let delivery { delivery.beginErasure(completion: gathering.enter()) }
    // An answer that is being dealt with is kept, and erased.
    if let control { control.queue.async(execute: gathering.enter()) }
    gathering.whenAll { [self] in presence.async { [self] in removeFiles(erasure, completion) } }
  }

  private func removeFiles(_ erasure: Erasure, _ completion: @Sendable () -> Void) {
    let everybodys = place.isAppsOwn && !erasure.isHeard
    // Not while somebody looks at them: a report that is claimed has another name from then on.
    earlierLaunches.first {
      RecordedFiles(place, environment, everybodys: everybodys).erase(isForGood: erasure.isDenial)
    }
    journal.erase(everybodys: everybodys, thenKeep: !erasure.isDenial && recorder.isWanted)
    environment.forgetCredentials?()
    postMortem?.forget()
    consent.followErasure(of: consent.erasedAt)
    // Whoever said it ends it.
    if !erasure.isHeard { consent.endErasure(of: consent.erasedAt) }
    delivery?.endErasure()
    erasers.tellOver()
    completion()
  }

  /// What is done in the background of a start may write files: it is waited for, a few seconds at most.
  private func waitForStart(_ done: @escaping @Sendable () -> Void) {
    guard hasStarted else { return done() }
    startWork.whenFinished(done)
    presence.asyncAfter(deadline: .now() + 5, execute: done)
  }
}
