// Calls the whole public API of the SDK from many threads with random and hostile arguments, and tells how it went.
//
//   sdk-monkey --directory DIR [--calls 100000] [--seconds 1] [--threads 16] [--seed N] [--sanitized] [--list]
//
// Prints one line of JSON. The same seed does the same on each thread, not in the same order between them.
import AutoMobileSDK
import Foundation

let arguments = Arguments(CommandLine.arguments)
if arguments.isList {
  Act.all.flatMap(\.symbols).sorted().forEach { print($0) }
  exit(0)
}
FileHandle.standardError.write(Data("monkey: seed \(arguments.seed)\n".utf8))
let monkey = Monkey(arguments)
let result = monkey.run()
print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
