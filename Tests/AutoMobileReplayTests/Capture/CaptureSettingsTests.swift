import AutoMobileReplay
import Testing

@Suite struct `Settings of capture` {
  @Test func `what a person typed is masked unless somebody says otherwise`() {
    let settings = CaptureSettings()
    #expect(settings.masksTextInput && settings.masksWebViews && settings.masksCameraPreviews && settings.masksKeyboard)
    #expect(settings.mode == .pictures)
    #expect(settings.framesPerSecond == 3 && settings.scale == 1.25 && settings.quality == 0.5)
  }
}
