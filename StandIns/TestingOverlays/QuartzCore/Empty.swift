// `import Testing` beside `import UIKit` has the compiler look for a module of this name.
