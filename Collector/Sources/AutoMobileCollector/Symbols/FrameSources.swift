/// Puts beside a report's frames where their source is opened, and the lines around those that one looks at first.
struct FrameSources: Sendable {
  let sources: SourceStore
  let links: SourceLinkStore

  /// Frames of one report that bring lines along.
  private static let most = 24

  /// - Parameter hasLines: whether what stands there is told, beside where it is.
  func add(to report: inout CrashReport, app: String?, commit: String?, hasLines: Bool) {
    let archives = report.images.map { hasLines ? $0.id.flatMap(sources.archive) : nil }
    let link = links.link(for: app)
    guard link != nil || archives.contains(where: { $0 != nil }) else { return }
    for index in report.threads.indices {
      var rest = index == report.principal ? Self.most : 0
      add(&report.threads[index].frames, archives, link, commit, lines: &rest)
    }
    for index in report.samples.indices {
      var none = 0
      add(&report.samples[index].frames, archives, link, commit, lines: &none)
    }
  }

  /// Whether an app's tag names a commit: apps may set any, and one that is a branch or a path leads somewhere else.
  private static func isHash(_ text: String) -> Bool {
    (7...40).contains(text.utf8.count) && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  private func add(
    _ frames: inout [CrashReport.Frame], _ archives: [SourceArchive?], _ link: SourceLink?, _ commit: String?,
    lines: inout Int
  ) {
    for index in frames.indices {
      guard let file = frames[index].file else { continue }
      let archive = frames[index].image.flatMap { archives.indices.contains($0) ? archives[$0] : nil }
      let known = commit.flatMap { Self.isHash($0) ? $0 : nil }
      frames[index].link = link?.url(
        file: file, line: frames[index].line, column: frames[index].column, commit: archive?.contents.commit ?? known)
      guard lines > 0, let archive, let line = frames[index].line, let path = archive.path(of: file) else { continue }
      frames[index].source = archive.excerpt(of: path, around: line)
      lines -= 1
    }
  }
}
