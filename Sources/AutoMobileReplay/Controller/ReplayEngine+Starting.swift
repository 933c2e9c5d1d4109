import AutoMobileRecorder
import Foundation

/// What has to be there before a session can begin: its configuration, and leave to upload.
extension ReplayEngine {
  func fetchConfiguration(_ generation: UInt64) {
    let fetch = ConfigurationFetch(
      base: services.base, publicKey: services.publicKey, device: services.device, transport: services.transport,
      draw: services.draw)
    run(generation) { [send] in send(.configured(generation: generation, await fetch.decide())) }
  }

  /// Warm or not, one that is kept and valid is used; nobody is asked, and no network is needed.
  func obtainCredential(_ generation: UInt64) {
    run(generation) { [weak self, source, gate, send, services] in
      if await source.kept == nil {
        await gate.wait()
        guard !Task.isCancelled else { return }
      }
      switch await source.token() {
      case .success:
        guard let grant = await self?.prepare(generation, at: services.now().wall) else { return }
        send(.credentialed(generation: generation, grant))
      case .failure(let failure):
        let grant: ReplayGrant =
          switch failure.status {
          case 401, 403, 404: .failed("access_denied_\(failure.status)")
          case 0, 408, 429, 500...599: .unreachable("no_credential")
          default: .failed("no_credential")
          }
        send(.credentialed(generation: generation, grant))
      }
    }
  }

  private func prepare(_ generation: UInt64, at wall: Int64) async -> ReplayGrant {
    let id = SessionDirectory.newId(at: wall)
    ours.withLock { _ = $0.insert(id) }
    guard await prepared.make(id, generation: generation, at: wall) else {
      ours.withLock { _ = $0.remove(id) }
      return .failed("no_storage")
    }
    // It may have been abandoned meanwhile.
    if Task.isCancelled { discard(generation) }
    return .granted(sessionId: id)
  }

  func discard(_ generation: UInt64) {
    prepared.discard(generation: generation) { [ours] id in
      if let id { ours.withLock { _ = $0.remove(id) } }
    }
  }

  func awaitNetwork(_ generation: UInt64, _ milliseconds: Int64) {
    run(generation) { [gate, send, services] in
      if await gate.isOpen { await gate.pause(milliseconds, services.after) }
      await gate.wait()
      guard !Task.isCancelled else { return }
      send(.networkAvailable(generation: generation))
    }
  }

  private func run(_ generation: UInt64, _ body: @escaping @Sendable () async -> Void) {
    let task = Task(priority: .utility) { await body() }
    requests.withLock { requests in
      // Earlier ones have answered, or nobody waits for them.
      requests = requests.filter { $0.key == generation }
      requests[generation] = task
    }
  }
}
