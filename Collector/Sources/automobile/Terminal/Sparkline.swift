/// Numbers as a row of bars.
enum Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  static func text(_ values: [Int]) -> String {
    let most = max(values.max() ?? 0, 1)
    return String(
      values.map { value in
        // Something is never drawn as nothing.
        value <= 0 ? "·" : bars[min(bars.count - 1, (value * bars.count - 1) / most)]
      })
  }
}
