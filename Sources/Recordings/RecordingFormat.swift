/// The text formats of recordings, in the order in which they are tried.
package enum RecordingFormat: String, CaseIterable, Sendable {
    /// The output of `evemu-record`, formats 1.0 to 1.3.
    case evemu
    /// The output of `hid-recorder` (hid-tools): the reports of HID devices, and their descriptors.
    case hidRecorder = "hid-recorder"
    /// The output of `libinput record --show-keycodes` (YAML, `version: 1`).
    case libinput
    /// Events printed by a program that uses python-evdev, even if they were pasted into other text.
    case pythonEvdev = "python-evdev"
    /// The output of Android's `getevent`, even if it was pasted into other text.
    case getevent
    /// The output of `evtest`, even if it was pasted into other text, such as a bug report.
    case evtest
    /// keywedge's own format, in which people write keystrokes and the bytes of a serial scanner by hand.
    case keys

    /// Whether events of several devices may be interleaved.
    package var takesTurns: Bool { self == .keys || self == .getevent }

    package var example: String {
        switch self {
        case .evemu: "E: 0.000001 0001 001c 0001"
        case .hidRecorder: "R: 67 05 8c 09 02 …"
        case .libinput: "version: 1"
        case .pythonEvdev: "key event at 1650400435.9, 28 (KEY_ENTER), down"
        case .getevent: "[ 0.000001] /dev/input/event3: EV_KEY KEY_ENTER DOWN"
        case .evtest: "Event: time 0.000001, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1"
        case .keys: "type \"4006381333931\""
        }
    }

    var parser: any LineParser.Type {
        switch self {
        case .evemu: EvemuParser.self
        case .hidRecorder: HIDRecorderParser.self
        case .libinput: LibinputParser.self
        case .pythonEvdev: PythonEvdevParser.self
        case .getevent: GeteventParser.self
        case .evtest: EvtestParser.self
        case .keys: KeysParser.self
        }
    }
}
