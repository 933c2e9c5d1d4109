/// The dictionaries of before: what an app with an older SDK, or its phone's memory of this collector, may still use.
///
/// See `BatchDictionary`, which is the one that this version names first.
enum FormerDictionary {
  /// The Adler-32 checksum of ``text``.
  static let name = "8a4f628e"

  static let text: StaticString = #"""
    Mon, Tue, Wed, Thu, Fri, Sat, Sun, Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec 2026 :00 GMT",\#
    "Cache-Control":"no-cache, no-store, max-age=0, private","Content-Encoding":"gzip","Vary":"Accept-Encoding",\#
    "Connection":"keep-alive","ETag":"W/\"","Server":"nginx","User-Agent":"CFNetwork Darwin","Accept-Language":"en",\#
    "Accept":"*/*","X-Request-Id":"text/html; charset=utf-8image/jpegimage/png","osVersion":"26.0","model":"iPhone17,1",\#
    "manufacturer":"Apple","systemName":"iOS"libsystem_kernel.dylib libdispatch.dylib Foundation UIKitCore SwiftUI CoreFound\#
    ation 0x00000001 + \n1  \n2  \n3  {"eventType":"handled_exception","timestamp":17,"errorDomain":"NSURLErrorDomain",\#
    "errorMessage":"The request timed out.","stackTrace":"0  ","functionName":"","fileName":".swift",\#
    "lineNumber":{"eventType":"span","timestamp":17,"name":"","traceId":"","spanId":"","parentSpanId":"","kind":"client",\#
    "durationMs":,"status":"error","statusMessage":"","attributes":{{"eventType":"view_body_snapshot","timestamp":17,\#
    "snapshots":[{"id":"","viewName":"","totalCount":1,"rollingAverage":1.0},{"id":"{"eventType":"storage_changed",\#
    "timestamp":17,"suiteName":"group.com.","key":"","newValue":"true","valueType":"string","sequenceNumber":1,\#
    "changeType":"add","contextId":1}{"eventType":"hang","timestamp":17,"durationMs":,"stackTrace":"0  ",\#
    "currentScreen":"{"eventType":"lifecycle","timestamp":17,"state":"background","details":{"transport":"wifi",\#
    "status":"satisfied","isExpensive":"false","isConstrained":"false"},"state":"inactive","details":{},\#
    "state":"foreground","state":"active","contextId":1}{"eventType":"custom","timestamp":17,"name":"Frames",\#
    "properties":{"scope":"screen","screen":"","frames":120,"slow":0,"frozen":0,"worstMs":17},"contextId":1}{"timestamp":17,\#
    "category":"custom","message":"","metadata":{}}{"eventType":"navigation","timestamp":17,"destination":"",\#
    "source":"uikit","source":"swiftui_navigation","arguments":{"id":""},"metadata":{"depth":"0"},"contextId":1}\#
    {"eventType":"interaction","timestamp":17,"interactionType":"tap","properties":{"x":"0.0","y":"0.0","viewType":"Button",\#
    "text":"","screen":""},"contextId":1}{"eventType":"network_request","timestamp":17,\#
    "url":"https://api.example.com/v1/?page=","method":"POST","method":"GET",\#
    "requestHeaders":{"Content-Type":"application/json","Authorization":"REDACTED","Accept":"application/json"},\#
    "requestBodySize":0,"statusCode":200,"responseHeaders":{"Content-Type":"application/json; charset=utf-8","Date":"",\#
    "Content-Length":""},"responseBodySize":0,"durationMs":.0,"host":"api.example.com","path":"/v1/","requestBody":"",\#
    "responseBody":"{\"id\":,\"name\":\"\",\"items\":[],\"data\":{}}","contentType":"application/json","requestId":"",\#
    "error":"","contextId":1}{"eventType":"log","timestamp":17,"level":4,"level":2,"tag":"","message":"","filterName":"all",\#
    "contextId":1}{"eventType":"session_summary","timestamp":17,"session":"","revision":1,"startedAt":17,"endedAt":17,\#
    "isFinal":true,"end":"crash","keptDays":7,"ofLaunch":"","context":{"anonymousId":"","appVersion":"1.0.0","sessionId":"",\#
    "tags":{},"userId":""},"sessionId":""}{"bundleId":"com.","from":,"launchId":"","ledger":{"dropped":{},"expired":0,\#
    "final":false,"kept":1,"recorded":1,"torn":0},"sdkVersion":"0.1.0","sentAt":17,"to":,"version":1}\#
    \#n\#0\#0\#0\#0\#0{"contextId":2,"sessionId":"","userId":"","anonymousId":"","appVersion":"","bundleId":"com.example.",\#
    "tags":{},"device":{"model":"iPhone1,2","manufacturer":"Apple","osVersion":"26.0","systemName":"iOS"}}\#
    \#0\#0\#0\#0\#0{"eventType":"session_summary","timestamp":17,"session":"","revision":2,"sameAs":1,"isFinal":true,\#
    "end":"unknown","end":"user_kill","keptEvents":1,"keptBytes":1048576,"keptDays":7}\#
    \#0\#0\#0\#0\#0\#0\#0\#0\#0\#0{"eventType":"session_summary","timestamp":17,"session":"","revision":1,"startedAt":17,\#
    "endedAt":17,"events":{"hang":1,"span":1,"view_body_snapshot":1,"custom":1,"interaction":1,"lifecycle":1,"log":1,\#
    "navigation":1,"network_request":1,"storage_changed":1},"screens":["Screen","],"screenVisits":1,"launchMs":1,\#
    "launchKind":"cold","frozenFrames":0,"slowFrames":1,"requests":{"none":1,"4xx":1,"5xx":1,"2xx":1},"errors":0,\#
    "crashes":0,"memoryLeft":1,"memoryWarnings":1,"memoryPeak":1,"keptEvents":1,"keptBytes":2097152,"keptBytes":3145728,\#
    "keptDays":7,"contextId":2}\#0\#0\#0\#0\#0
    """#
}
