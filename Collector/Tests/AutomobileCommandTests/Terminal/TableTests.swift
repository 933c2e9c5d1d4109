import Testing

@testable import automobile

@Suite struct `Tables` {
  private let plain = Style(coloured: false)

  private func sample() -> Table {
    var table = Table(columns: [
      .init(title: "SESSION"), .init(title: "USER", minimum: 8), .init(title: "DEVICE", minimum: 6, rank: 2),
      .init(title: "SCREEN", minimum: 6, rank: 1), .init(title: "EVENTS", alignsRight: true),
    ])
    table.rows = [
      [
        "0B9FC4B2", "a.very.long.address@some.company.example.com", "iPhone 15 Pro Max", "CheckoutConfirmation",
        "1 204",
      ],
      ["77AB0C11", "喫茶店のお客様@example.jp", "Pixel", "Menu", "3"],
    ]
    return table
  }

  @Test(arguments: [20, 40, 60, 80, 120, 200])
  func `no line is wider than the terminal, except by what may never be cut`(width: Int) {
    let least = 8 + 2 + 8 + 2 + 6
    for line in sample().lines(width: width, style: plain) {
      #expect(DisplayWidth.of(line) <= max(width, least), "\(line)")
    }
  }

  @Test func `everything is there when there is room, or no terminal`() {
    for width in [200, nil] {
      let lines = sample().lines(width: width, style: plain)
      #expect(
        lines[0]
          == "SESSION   USER                                          DEVICE             SCREEN                EVENTS")
      #expect(lines[1].contains("a.very.long.address@some.company.example.com"))
    }
  }

  @Test func `the column with the highest rank goes first`() {
    let lines = sample().lines(width: 40, style: plain)
    #expect(!lines[0].contains("DEVICE"))
    #expect(lines[0].contains("SCREEN"))
  }

  @Test func `wide characters keep the columns in line`() {
    let lines = sample().lines(width: 60, style: plain)
    let ends = lines.map { DisplayWidth.of($0) }
    #expect(Set(ends).count == 1, "\(lines)")
  }

  @Test func `colours only come when asked for`() {
    var table = Table(columns: [.init(title: "A", paint: { $0.red($1) })])
    table.rows = [["x"]]
    #expect(table.lines(width: nil, style: plain) == ["A", "x"])
    let coloured = Style(coloured: true)
    #expect(coloured.red("x") != "x")
    #expect(table.lines(width: nil, style: coloured) == [coloured.dim("A"), coloured.red("x")])
  }

  @Test(arguments: [
    ("espresso", 8, "espresso"), ("espresso", 5, "espr…"), ("カフェ店", 5, "カフ…"), ("x", 0, ""), ("👩‍👩‍👧 family", 4, "👩‍👩‍👧 …"),
  ])
  func `text is cut at whole characters`(text: String, width: Int, cut: String) {
    #expect(DisplayWidth.truncated(text, to: width) == cut)
  }
}
