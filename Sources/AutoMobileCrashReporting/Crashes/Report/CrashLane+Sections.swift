import CAutoMobile

// The report area.
extension CrashLane {
  /// More than any handler writes.
  private static let maximumSections = 4096
  private static let maximumText = 64 * 1024

  mutating func readSections(_ bytes: [UInt8], published: UInt64) {
    let start = Int(AM_LANE_REPORT)
    guard bytes.count > start else { return }
    let end = start + min(Int(clamping: published), Int(AM_LANE_REPORT_SIZE), bytes.count - start)
    var reader = ByteReader(bytes, start..<end)
    for _ in 0..<Self.maximumSections {
      guard let tag = reader.u32(), let length = reader.u32() else { return }
      guard let payload = reader.take(UInt64(length)) else {
        notes.append("the report ends in the middle of a section")
        return
      }
      readSection(tag, bytes, payload)
      guard reader.seek(reader.offset + (8 - Int(length) % 8) % 8) else { return }
    }
    notes.append("the report has more than \(Self.maximumSections) sections")
  }

  private mutating func readSection(_ tag: UInt32, _ bytes: [UInt8], _ payload: Range<Int>) {
    switch Int(tag) {
    case Int(AM_SECTION_SIGNAL):
      // Of two, the first is what happened; the second followed from it.
      if signal == nil { signal = load(bytes, payload) }
    case Int(AM_SECTION_EXCEPTION): if exception == nil { exception = readException(bytes, payload) }
    case Int(AM_SECTION_REASON):
      let reason = text(bytes, payload)
      if exception?.reason == nil { exception?.reason = reason }
    case Int(AM_SECTION_THREAD): readThread(bytes, payload).map { threads.append($0) }
    case Int(AM_SECTION_NOTE): notes.append(text(bytes, payload))
    case Int(AM_SECTION_IMAGE):
      if let image = CrashLaneImages.image(bytes, payload)?.0 {
        images.removeAll { $0.base < image.base &+ image.size && image.base < $0.base &+ $0.size }
        images.append(image)
      }
    case Int(AM_SECTION_MESSAGE): message = message ?? text(bytes, payload)
    case Int(AM_SECTION_MACH): mach = mach ?? load(bytes, payload)
    default: notes.append("the report has a section of an unknown kind: \(tag)")
    }
  }

  private func load<Structure: BitwiseCopyable>(_ bytes: [UInt8], _ payload: Range<Int>) -> Structure? {
    guard payload.count >= MemoryLayout<Structure>.size else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: payload.lowerBound, as: Structure.self) }
  }

  private func text(_ bytes: [UInt8], _ payload: Range<Int>) -> String {
    String(decoding: bytes[payload].prefix(Self.maximumText).prefix { $0 != 0 }, as: UTF8.self)
  }

  private func readException(_ bytes: [UInt8], _ payload: Range<Int>) -> Exception? {
    guard let head: am_lane_exception = load(bytes, payload) else { return nil }
    var reader = ByteReader(bytes, payload.lowerBound + MemoryLayout<am_lane_exception>.size..<payload.upperBound)
    let addresses = addresses(head.address_count, &reader)
    let type = reader.take(min(UInt64(head.type_length), UInt64(max(0, reader.remaining)))).map { text(bytes, $0) }
    return Exception(
      language: head.language, thread: head.thread, time: head.time, addresses: addresses, type: type ?? "",
      reason: nil)
  }

  private func readThread(_ bytes: [UInt8], _ payload: Range<Int>) -> Thread? {
    guard let head: am_lane_thread = load(bytes, payload) else { return nil }
    var reader = ByteReader(bytes, payload.lowerBound + MemoryLayout<am_lane_thread>.size..<payload.upperBound)
    let frames = addresses(head.frame_count, &reader)
    let window = reader.take(min(UInt64(head.stack_length), UInt64(max(0, reader.remaining)))) ?? 0..<0
    let values = withUnsafeBytes(of: head.registers.values) { Array($0.bindMemory(to: UInt64.self)) }
    let known = head.registers.known
    let status = architecture.registerCount
    return Thread(
      id: head.id, flags: head.flags, name: withUnsafeBytes(of: head.name) { ThreadName.text($0) },
      registers: RegisterFile(architecture, values, known: known),
      status: known >> UInt64(clamping: status) & 1 == 1 ? values[status] : nil, frames: frames,
      stack: StackWindow(address: head.stack_start, bytes: Array(bytes[window])))
  }

  /// As many as there are room for.
  private func addresses(_ count: UInt32, _ reader: inout ByteReader) -> [UInt64] {
    var result: [UInt64] = []
    while result.count < Int(count), let address = reader.u64() { result.append(architecture.stripped(address)) }
    return result
  }
}
