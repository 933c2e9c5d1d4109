import Foundation
import HangProps

/// How a main thread can hang, each in a function of its own, whose name should come up in the report.
enum WayToHang: String {
  case asleep, busy, lock, allocator, loader

  @MainActor func hang(until release: ReleaseFile) {
    switch self {
    case .asleep: hangAsleep(release)
    case .busy: hangBusy(release)
    case .lock: hangForALock(release)
    case .allocator: hangWithTheAllocator(release)
    case .loader: hangWithTheLoader(release)
    }
  }
}

@inline(never) private func hangAsleep(_ release: ReleaseFile) {
  while !release.isThere { usleep(10_000) }
}

@inline(never) private func hangBusy(_ release: ReleaseFile) {
  var sum = 0.0
  repeat { for n in 0..<200_000 { sum += sin(Double(n) + sum) } } while !release.isThere
  withExtendedLifetime(sum) {}
}

@inline(never) private func hangForALock(_ release: ReleaseFile) {
  let lock = NSLock()
  lock.lock()
  Thread.detachNewThread {
    while !release.isThere { usleep(2000) }
    lock.unlock()
  }
  lock.lock()
  lock.unlock()
}

@inline(never) private func hangWithTheAllocator(_ release: ReleaseFile) {
  allocator_hold()
  hangAsleep(release)
  allocator_release()
}

/// What the callback of the loader waits for: a C function has no captures.
@MainActor private var releaseOfTheLoader: ReleaseFile?

@MainActor @inline(never) private func hangWithTheLoader(_ release: ReleaseFile) {
  releaseOfTheLoader = release
  with_loader_lock {
    MainActor.assumeIsolated {
      if let release = releaseOfTheLoader { hangAsleep(release) }
    }
  }
}
