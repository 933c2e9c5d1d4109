import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries the app's answer to a challenge back to the session that was challenged. The first answer counts.
// Unchecked, because the superclass is not Sendable: the only state is behind a lock.
final class ChallengeRelay: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
  typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  private let answer: Locked<Answer?>

  init(_ answer: @escaping Answer) { self.answer = Locked(answer) }

  private func give(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential? = nil) {
    let answer = answer.withLock { answer in
      defer { answer = nil }
      return answer
    }
    answer?(disposition, credential)
  }

  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) { give(.useCredential, credential) }
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { give(.useCredential) }
  func cancel(_ challenge: URLAuthenticationChallenge) { give(.cancelAuthenticationChallenge) }
  func performDefaultHandling(for challenge: URLAuthenticationChallenge) { give(.performDefaultHandling) }
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) { give(.rejectProtectionSpace) }
}
