import Keystrokes
import Recordings
import Testing

@Suite struct RealRecordingTests {
    static let folder = packageFolder + "examples/recordings/"

    @Test(arguments: [
        ("gs1-datamatrix-ctrl-bracket", 306, 1_096_097), ("qr-digital-link", 372, 1_355_714),
        ("upc-a-then-upc-e", 132, 462_532),
    ])
    func aRecordingOfARealKernelIsReadInFull(name: String, count: Int, last: Int64) {
        let reading = Reading(path: Self.folder + name + ".evemu")
        #expect(reading.error == nil)
        let keyboard = DeviceIdentity(
            name: "QEMU QEMU USB Keyboard", bus: 3, vendor: 0x0627, product: 1, version: 0x0111)
        #expect(reading.items.first == .device(keyboard))
        #expect(reading.devices.count == 1)
        #expect(reading.events.count == count)
        #expect(reading.events.last == .report(at: last))
        let up = KeyEvent.key(.enter, 0, at: last)
        #expect(reading.events.dropLast().last == up)
    }

    @Test func theDigitsOfARecordedCodeAreThere() {
        let reading = Reading(path: Self.folder + "upc-a-then-upc-e.evemu")
        let pressed = reading.events.filter { $0.type == InputEventType.key && $0.value == 1 }
        let typed = pressed.map { KeyCode(rawValue: $0.code).name.dropFirst(4) }
        #expect(typed.prefix(3) == ["0", "1", "2"])
        #expect(typed.filter { $0 == "ENTER" }.count == 2)
    }
}
