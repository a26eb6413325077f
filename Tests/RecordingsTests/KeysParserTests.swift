import Foundation
import Keystrokes
import Recordings
import Testing
import WireText

@Suite struct KeysParserTests {
    @Test func typesATextTwoMillisecondsAReport() {
        let reading = Reading("# an item\ntype \"1A\" # the item\n")
        #expect(reading.error == nil)
        #expect(reading.format == .keys)
        #expect(
            reading.story == [
                "0 down KEY_1", "0 report", "2000 up KEY_1", "2000 report",
                "4000 down KEY_LEFTSHIFT", "4000 report", "6000 down KEY_A", "6000 report",
                "8000 up KEY_A", "8000 report", "10000 up KEY_LEFTSHIFT", "10000 report",
            ])
    }

    @Test func pressesChordsAndHoldsKeys() {
        let reading = Reading(
            """
            pace 10us
            key KEY_LEFTCTRL+KEY_RIGHTBRACE KEY_ENTER
            down KEY_A KEY_B
            repeat KEY_A
            up KEY_A
            """)
        #expect(
            reading.story.filter { !$0.hasSuffix("report") } == [
                "0 down KEY_LEFTCTRL", "10 down KEY_RIGHTBRACE", "20 up KEY_RIGHTBRACE",
                "30 up KEY_LEFTCTRL", "40 down KEY_ENTER", "50 up KEY_ENTER", "60 down KEY_A",
                "70 down KEY_B", "80 repeat KEY_A", "90 up KEY_A",
            ])
    }

    @Test func waitsPacesAndDropsAddUp() {
        let reading = Reading(
            "\r\n  wait 150ms\r\n\tdropped # lost\r\npace 5ms\r\ndropped\r\nwait 2s\r\ndropped\r\n")
        #expect(
            reading.story == [
                "150000 dropped", "150000 report", "152000 dropped", "152000 report",
                "2157000 dropped", "2157000 report",
            ])
    }

    @Test func aDeviceBeginsASectionOfItsOwn() {
        let reading = Reading(
            """
            device name="Corded \\"A\\" # 1" vendor=0c2e product=0B61 bus=3 version=110 \
            phys="usb-1" uniq="SN7"
            dropped
            device
            """)
        let device = DeviceIdentity(
            name: "Corded \"A\" # 1", bus: 3, vendor: 0x0c2e, product: 0x0b61, version: 0x110,
            phys: "usb-1", uniq: "SN7")
        #expect(reading.items.first == .device(device))
        #expect(
            reading.message
                == "shop:3: expected name=\"…\", phys=\"…\", uniq=\"…\", bus=HEX, vendor=HEX, "
                + "product=HEX or version=HEX, found the end of the line")
    }

    @Test(arguments: [
        (#"\x1d"#, "KEY_RIGHTBRACE"), (#"\u001d"#, "KEY_RIGHTBRACE"),
        (#"\u{1d}"#, "KEY_RIGHTBRACE"), (#"\U0000001d"#, "KEY_RIGHTBRACE"),
        (#"\t"#, "KEY_TAB"), (#"\n"#, "KEY_ENTER"), (#"\r"#, "KEY_ENTER"),
        (#"\\"#, "KEY_BACKSLASH"), (#"\""#, "KEY_APOSTROPHE"), ("#", "KEY_3"),
    ])
    func escapesAreTyped(escape: String, key: String) {
        let reading = Reading("type \"\(escape)\"")
        #expect(reading.error == nil)
        #expect(reading.story.contains { $0.hasSuffix("down \(key)") })
    }

    @Test func aScanReadsBackAsItWasTyped() throws {
        let text = (0x20...0x7E).map { String(UnicodeScalar(UInt8($0))) }.joined()
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let reading = Reading("type \"\(escaped)\"\nkey KEY_ENTER\n")
        #expect(reading.error == nil)
        #expect(reading.events == (try Typist().events(for: text)))
    }

    @Test func theManualsExampleIsRead() throws {
        let manual = try Reading.text(of: "docs/recordings.md")
        let start = try #require(manual.range(of: "# Two items"))
        let end = try #require(manual[start.lowerBound...].range(of: "```"))
        let reading = Reading(String(manual[start.lowerBound..<end.lowerBound]))
        #expect(reading.error == nil)
        #expect(reading.devices.map(\.name) == ["Counter"])
        #expect(reading.story.filter { $0.hasSuffix("down KEY_ENTER") }.count == 3)
        #expect(reading.story.filter { $0.hasSuffix("dropped") }.count == 1)
    }

    @Test func aLongTextIsTypedInFull() {
        let reading = Reading("type \"" + String(repeating: "7", count: 100_000) + "\"\n")
        #expect(reading.error == nil)
        #expect(reading.events.count == 400_000)
        #expect(reading.events.last == .report(at: 399_998_000))
    }

    @Test(arguments: [
        (
            "typ \"1\"", "one of type, send, key, down, up, repeat, wait, pace, dropped, device",
            "\"typ\""
        ),
        ("type", "a text in double quotation marks", "the end of the line"),
        ("type 400", "a text in double quotation marks", "\"400\""),
        ("type \"400", "a closing quotation mark", "the end of the line"),
        ("type \"400\\", escapes, "\"\\\\\""),
        ("type \"\\q\"", escapes, "\"\\\\q\\\"\""),
        ("type \"\\x1\"", escapes, "\"\\\\x1\\\"\""),
        ("type \"\\u{110000}\"", escapes, "\"\\\\u{110000}\\\"\""),
        ("type \"\\u{}\"", escapes, "\"\\\\u{}\\\"\""),
        ("type \"\\ud800\"", escapes, "\"\\\\ud800\\\"\""),
        ("type \"1\"2", "a blank after the closing quotation mark", "\"2\""),
        ("type \"1\" 2", "the end of the line", "\"2\""),
        ("type \"é\"", "characters that the keyboard layout has a key for", "\"é\""),
        ("type \"\u{202E}\"", "characters that the keyboard layout has a key for", "\"\\u202e\""),
        ("key", keyName, "the end of the line"),
        ("key KEY_ENTR", keyName, "\"KEY_ENTR\""),
        ("key KEY_A+", keyName, "\"\""),
        ("key KEY_A KEY_NOPE", keyName, "\"KEY_NOPE\""),
        ("down", keyName, "the end of the line"),
        ("wait", duration, "the end of the line"),
        ("wait 150", duration, "\"150\""),
        ("wait -1ms", duration, "\"-1ms\""),
        ("wait 1.5s", duration, "\"1.5s\""),
        ("wait 86401s", duration, "\"86401s\""),
        ("wait 99999999999999999999s", duration, "\"99999999999999999999s\""),
        ("wait 1ms 2ms", "the end of the line", "\"2ms\""),
        ("pace fast", duration, "\"fast\""),
        ("dropped 2", "the end of the line", "\"2\""),
        ("device vendor=12345", "one to four hexadecimal digits", "\"12345\""),
        ("device vendor=-1", "one to four hexadecimal digits", "\"-1\""),
        ("device vendor=1 vendor=2", "vendor= once", "it twice"),
        ("device name=x", "a text in double quotation marks", "\"x\""),
    ])
    func theErrorOfAWrongLineSaysWhatIsExpected(line: String, expected: String, found: Phrase) {
        let reading = Reading("dropped\n\(line)\ndropped\n")
        #expect(reading.story == ["0 dropped", "0 report"])
        #expect(
            reading.error
                == .badLine(name: "shop", line: 2, expected: expected, found: found))
    }

    static let escapes = #"one of the escapes \\ \" \t \n \r \0 \x1d \u001d \U0000001d \u{1d}"#
    static let keyName = "the kernel's name of a key as KEY_ENTER"
    static let duration = "a time of at most a day as 150ms, 2s or 500us"

    @Test func timesCannotGrowWithoutEnd() {
        let days = String(repeating: "wait 86400s\n", count: 115_741)
        #expect(
            Reading(days).error
                == .badLine(
                    name: "shop", line: 115_741, expected: "times up to 9999999999 seconds",
                    found: "\"wait 86400s\""))
        let latest = String(days.prefix(115_740 * 12)) + "wait 63999s\n"
        #expect(Reading(latest).error == nil)
        #expect(Reading(latest + "wait 1us\n").error != nil)
    }

    @Test func bytesThatAreNotUTF8AreAnError() {
        let reading = Reading(bytes: Array("dropped\ntype \"".utf8) + [0xFF, 0x22, 0x0A])
        #expect(
            reading.error
                == .badLine(
                    name: "shop", line: 2, expected: "UTF-8", found: "\"type \\\"\u{FFFD}\\\"\""))
    }
}
