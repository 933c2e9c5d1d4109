import AutoMobileJournal
import Foundation

/// Knows a kind of file that a module leaves in the directory of recordings, so that an erasure finds it.
package struct LeftFile: Sendable {
  /// What an erasure does with a file.
  package enum Fate: Sendable {
    case remove
    case keep
  }

  /// Nil: the file is of another kind. Reads the disk.
  package let fate: @Sendable (_ file: URL, _ erasure: Erasure) -> Fate?

  package init(_ fate: @escaping @Sendable (_ file: URL, _ erasure: Erasure) -> Fate?) { self.fate = fate }

  package struct Erasure: Sendable {
    /// Launches of other programs, whose files stay.
    package let theirs: Set<LaunchID>
    /// Nothing is kept from now on.
    package let isForGood: Bool
  }
}
