import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Screens for models` {
  /// One of the inputs that the fuzzer begins with.
  private func segment(_ name: String) throws -> ByteBuffer {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Fuzz/Corpus/screen/\(name)")
    return ByteBuffer(data: try Data(contentsOf: file.standardizedFileURL))
  }

  private func drawn(_ name: String, until moment: Int64 = .max) throws -> (pixels: Pixels, grey: Int) {
    let player = ScreenPlayer(try segment(name), until: moment)
    guard case .drawn(let pixels, let grey)? = player.picture else {
      throw JSONError(offset: 0, message: "no picture in \(name)")
    }
    return (pixels, grey)
  }

  @Test func `a whole picture is as it was`() throws {
    let (pixels, grey) = try drawn("key")
    #expect(pixels.width == 70 && pixels.height == 70 && grey == 0)
    #expect(pixels.colours.allSatisfy { $0 == 0xFF_FF_FF })
  }

  @Test func `tiles are drawn where they belong, and only up to the moment`() throws {
    let after = try drawn("tiles").pixels
    #expect(after.colours[0] == 0x09_09_09 && after.colours[63] == 0x09_09_09)
    #expect(after.colours[64] == 0xFF_FF_FF && after.colours[32 * 70] == 0xFF_FF_FF)
    #expect(try drawn("tiles", until: 1500).pixels.colours[0] == 0xFF_FF_FF)
  }

  @Test func `tiles that are photographs are grey, and counted`() throws {
    let (pixels, grey) = try drawn("grey")
    #expect(grey == 9)
    #expect(pixels.colours.allSatisfy { $0 == 0x80_80_80 })
  }

  @Test func `a photograph is given as it came, with how many changes followed`() throws {
    let player = ScreenPlayer(try segment("photograph"), until: .max)
    guard case .photograph(let file, let changes)? = player.picture else { throw JSONError(offset: 0, message: "none") }
    #expect(file.starts(with: [0xFF, 0xD8]) && changes == 1 && player.timestamp == 1000)
  }

  @Test func `nothing is shown of what is torn or of another size`() throws {
    #expect(ScreenPlayer(try segment("torn"), until: .max).picture == nil)
    #expect(ScreenPlayer(try segment("other-size"), until: .max).timestamp == 1000)
    #expect(ScreenPlayer(try segment("key"), until: 999).picture == nil)
  }

  @Test func `a few bytes that name many pixels do not take long`() throws {
    // A picture of four million pixels, and frames of some tens of bytes that move all of it.
    let clock = ContinuousClock.now
    let player = ScreenPlayer(try segment("bomb"), until: .max)
    #expect(player.isCutShort && player.picture != nil)
    #expect(ContinuousClock.now - clock < .seconds(60))
  }

  @Test func `a large picture is made smaller until it fits`() throws {
    var pixels = Pixels(width: 1700, height: 300)
    for index in pixels.colours.indices { pixels.colours[index] = UInt32.random(in: 0..<0x100_0000) }
    let file = try #require(ScreenFile.png(pixels))
    #expect(file.count <= ScreenFile.most)
  }
}
