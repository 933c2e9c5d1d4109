import AutoMobileSupport

// By hand, and as the compiler would do it: see `MemberReader`.

extension DiagnosticReport.ProcessInformation {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    name = members.value("name")
    pid = members.value("pid")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("name", name)
    members.add("pid", pid)
    try members.end()
  }
}

extension DiagnosticReport.SignalInformation {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    number = members.value("number")
    name = members.value("name")
    code = members.value("code")
    codeName = members.value("codeName")
    address = members.value("address")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("number", number)
    members.add("name", name)
    members.add("code", code)
    members.add("codeName", codeName)
    members.add("address", address)
    try members.end()
  }
}

extension DiagnosticReport.ExceptionInformation {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    type = members.value("type")
    reason = members.value("reason")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("type", type)
    members.add("reason", reason)
    try members.end()
  }
}

extension DiagnosticReport.Thread {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    id = members.value("id")
    name = members.value("name")
    crashed = members.value("crashed")
    main = members.value("main")
    registers = members.value("registers")
    frames = members.value("frames", or: [])
    truncated = members.value("truncated")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("id", id)
    members.add("name", name)
    members.add("crashed", crashed)
    members.add("main", main)
    members.add("registers", registers)
    members.add("frames", frames)
    members.add("truncated", truncated)
    try members.end()
  }
}

extension DiagnosticReport.Frame {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    address = members.value("address", or: CodeAddress(rawValue: 0))
    image = members.value("image")
    offset = members.value("offset")
    symbol = members.value("symbol")
    symbolOffset = members.value("symbolOffset")
    trust = members.value("trust")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("address", address)
    members.add("image", image)
    members.add("offset", offset)
    members.add("symbol", symbol)
    members.add("symbolOffset", symbolOffset)
    members.add("trust", trust)
    try members.end()
  }
}

extension DiagnosticReport.Sample {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    atMs = members.value("atMs")
    count = members.value("count")
    frames = members.value("frames", or: [])
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("atMs", atMs)
    members.add("count", count)
    members.add("frames", frames)
    try members.end()
  }
}

extension DiagnosticReport.Image {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    name = members.value("name")
    path = members.value("path")
    uuid = members.value("uuid")
    base = members.value("base", or: CodeAddress(rawValue: 0))
    size = members.value("size")
    architecture = members.value("architecture")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("name", name)
    members.add("path", path)
    members.add("uuid", uuid)
    members.add("base", base)
    members.add("size", size)
    members.add("architecture", architecture)
    try members.end()
  }
}
