import Testing
import WireText

@Suite struct DurationTextTests {
    @Test(arguments: [
        (Duration.zero, "0s"), (.nanoseconds(900), "0s"), (.seconds(-2), "0s"),
        (.milliseconds(-2), "0s"), (.microseconds(45), "45us"), (.microseconds(4_370), "4.3ms"),
        (.milliseconds(4), "4ms"), (.microseconds(12_999), "12ms"), (.milliseconds(500), "500ms"),
        (.seconds(1), "1s"), (.milliseconds(1500), "1.5s"), (.milliseconds(2050), "2.05s"),
        (.milliseconds(2001), "2.001s"), (.seconds(60), "1min"),
        (.milliseconds(90_700), "1min 30s"),
        (.seconds(3600), "1h"), (.seconds(3661), "1h 1min"), (.seconds(86_400 * 7), "7d"),
        (.seconds(86_400 + 3600 * 5), "1d 5h"),
    ])
    func aDurationIsToldAsASettingIsWritten(duration: Duration, text: String) {
        #expect(duration.text == text)
    }

    @Test(arguments: [(0, "0 products"), (1, "1 product"), (2, "2 products"), (-1, "-1 products")])
    func oneIsNotSeveral(count: Int, text: String) {
        #expect(count.counted("product") == text)
    }

    @Test func severalMayHaveAWordOfTheirOwn() {
        #expect(1.counted("key press", "key presses") == "1 key press")
        #expect(2.counted("key press", "key presses") == "2 key presses")
    }
}
