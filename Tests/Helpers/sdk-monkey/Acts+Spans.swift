import AutoMobileSDK
import Foundation

extension Act {
  private struct Refused: Error {}

  static let spans: [Act] = [
    Act(
      "AutoMobileSDK.beginSpan(_:kind:parent:attributes:)", "SdkSpan.setAttribute(_:_:)",
      "SdkSpan.end(status:message:)",
      "SdkSpan.end(throwing:)", weight: 40
    ) { random, stage in
      var span = stage.sdk.beginSpan(
        random.string(), kind: random.one(of: SdkSpanKind.allCases), parent: random.optional { context(&$0) },
        attributes: random.properties())
      for _ in 0..<random.below(4) { span.setAttribute(random.string(), .string(random.string())) }
      if random.bool() { span.end(status: random.optional { $0.bool() ? .ok : .error }, message: random.string()) }
      if random.bool() { span.end(throwing: Refused()) }
    },
    Act(
      "AutoMobileSDK.span(_:kind:parent:attributes:_:)", "AutoMobileSDK.span(_:kind:parent:attributes:_:)",
      "SdkSpanContext.current", "SdkSpanContext.asCurrent(_:)",
      weight: 40
    ) { random, stage in
      let name = random.string()
      stage.sdk.span(name) { stage.sdk.span(name) { span in span.setAttribute(name, true) } }
      _ = try? stage.sdk.span(name) { throw Refused() }
      SdkSpanContext.current?.asCurrent { stage.sdk.span(name) {} }
      context(&random).asCurrent { stage.sdk.span(name) {} }
    },
    Act(
      "AutoMobileSDK.span(_:kind:parent:attributes:isolation:_:)",
      "AutoMobileSDK.span(_:kind:parent:attributes:isolation:_:)", "SdkSpanContext.asCurrent(isolation:_:)", weight: 10
    ) { random, stage in
      let name = random.string()
      let (sdk, around) = (stage.sdk, context(&random))
      Task {
        await around.asCurrent {
          await sdk.span(name) { await Task.yield() }
          try? await sdk.span(name) { span in
            span.setAttribute(name, 1)
            await Task.yield()
            throw CancellationError()
          }
        }
      }
    },
    Act(
      "SdkSpanContext.init(childOf:)", "SdkSpanContext.init(traceId:spanId:)", "SdkSpanContext.init(traceparent:)",
      "SdkSpanContext.==(_:_:)", "SdkSpanContext.hash(into:)", "SdkSpanEvent.longestName", "SdkSpanEvent.longestText",
      "SdkSpanEvent.mostAttributes", "SdkSpanEvent.mostElements",
      "SdkSpanEvent.init(timestamp:name:context:parent:kind:durationMs:status:statusMessage:attributes:)", weight: 20
    ) { random, stage in
      let one = context(&random)
      _ = Set([one, SdkSpanContext(childOf: one)]).count
      stage.sdk.record(
        SdkSpanEvent(
          timestamp: random.int64(), name: random.string(), context: one, parent: context(&random),
          durationMs: random.optional { $0.double() }, status: random.optional { $0.one(of: SdkSpanStatus.allCases) },
          statusMessage: random.optional { $0.string() }, attributes: random.properties()))
    },
  ]

  private static func context(_ random: inout Hostile) -> SdkSpanContext {
    SdkSpanContext(traceparent: random.string())
      ?? SdkSpanContext(traceId: random.string(), spanId: random.string()) ?? SdkSpanContext()
  }
}
