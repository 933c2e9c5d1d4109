// Calls the whole public API of the SDK from many threads with random and hostile arguments, and tells how it went.
//
//   sdk-monkey --directory DIR [--calls 100000] [--seconds 1] [--threads 16] [--seed N] [--sanitized] [--list]
//     [--output FILE]
//
// Tells it as one line of JSON. The same seed does the same on each thread, not in the same order between them.
import AutoMobileSDK
import Foundation

let arguments = Arguments(CommandLine.arguments)
if arguments.isList {
  try arguments.write(Act.all.flatMap(\.symbols).sorted().joined(separator: "\n"))
  exit(0)
}
FileHandle.standardError.write(Data("monkey: seed \(arguments.seed)\n".utf8))
let monkey = Monkey(arguments)
let result = monkey.run()
try arguments.write(String(decoding: JSONEncoder().encode(result), as: UTF8.self))
