import Foundation
import Testing

@testable import automobile

/// The scripts that `automobile --generate-completion-script` prints, in the shells that they are for.
@Suite(.serialized) struct `Completion` {
  private static func has(_ shell: String) -> Bool {
    ["/bin", "/usr/bin", "/opt/homebrew/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
    }
  }

  private static func script(for shell: String) async throws -> (directory: URL, file: URL) {
    let result = try await Tool.run("--generate-completion-script", shell)
    #expect(result.code == 0 && !result.output.isEmpty)
    let directory = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let file = directory.appending(path: shell == "zsh" ? "_automobile" : "automobile.\(shell)")
    try Data(result.output.utf8).write(to: file)
    return (directory, file)
  }

  @Test(.enabled(if: has("bash"))) func `bash completes commands and options`() async throws {
    let (directory, file) = try await Self.script(for: "bash")
    defer { try? FileManager.default.removeItem(at: directory) }
    func complete(_ words: [String]) async throws -> [Substring] {
      let line = words.joined(separator: " ")
      let program = """
        shopt -s extglob; source '\(file.path)'; COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
        COMP_LINE='\(line)'; COMP_POINT=\(line.count); _automobile automobile '\(words.last ?? "")' '\(words.dropLast().last ?? "")'; printf '%s\\n' "${COMPREPLY[@]}"
        """
      let result = try await Tool.run(program: "/bin/bash", ["--norc", "-c", program])
      return result.lines
    }
    let commands = try await complete(["automobile", "se"]).map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(Set(commands).isSuperset(of: ["serve", "sessions"]), "\(commands)")
    let options = try await complete(["automobile", "issues", "--st"]).map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(options.contains("--status"), "\(options)")
  }

  @Test(.enabled(if: has("zsh"))) func `zsh reads its script`() async throws {
    let (directory, file) = try await Self.script(for: "zsh")
    defer { try? FileManager.default.removeItem(at: directory) }
    let program = """
      fpath=('\(directory.path)' $fpath); autoload -Uz compinit; compinit -u -d '\(directory.path)/dump'
      echo $_comps[automobile]; zsh -n '\(file.path)' && echo fine
      """
    let result = try await Tool.run(program: "zsh", ["-f", "-c", program])
    #expect(result.lines == ["_automobile", "fine"], "\(result.errors)")
  }

  @Test(.enabled(if: has("fish"))) func `fish completes commands and options`() async throws {
    let (directory, file) = try await Self.script(for: "fish")
    defer { try? FileManager.default.removeItem(at: directory) }
    func complete(_ line: String) async throws -> String {
      let program = "source '\(file.path)'; complete -C '\(line)'"
      return try await Tool.run(program: "fish", ["--no-config", "-c", program]).output
    }
    #expect(try await complete("automobile ret").contains("retention"))
    #expect(try await complete("automobile issues --st").contains("--status"))
  }
}
