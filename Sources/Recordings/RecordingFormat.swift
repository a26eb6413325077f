/// The text formats a recording can have.
///
/// `docs/recordings.md` says how each is made. The format is recognised from the content, never
/// from the name of the file.
public enum RecordingFormat: String, CaseIterable, Sendable {
    /// What `evemu-record` writes, from format 1.0 to 1.3.
    case evemu
    /// What `libinput record --show-keycodes` writes (YAML, `version: 1`).
    case libinput
    /// What `evtest` prints, also as pasted into bug reports.
    case evtest
    /// What programs with python-evdev print of events, also as pasted.
    case pythonEvdev = "python-evdev"
    /// What Android's `getevent` prints, also as pasted.
    case getevent
    /// The format of ours for writing keystrokes by hand.
    case keys

    /// Whether the events of several devices stand among one another: a device that follows another
    /// does not end what that one is in the midst of.
    public var takesTurns: Bool { self == .keys || self == .getevent }

    /// A line that shows what the format looks like.
    public var example: String {
        switch self {
        case .evemu: "E: 0.000001 0001 001c 0001"
        case .libinput: "version: 1"
        case .evtest: "Event: time 0.000001, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1"
        case .pythonEvdev: "key event at 1650400435.9, 28 (KEY_ENTER), down"
        case .getevent: "[ 0.000001] /dev/input/event3: EV_KEY KEY_ENTER DOWN"
        case .keys: "type \"4006381333931\""
        }
    }
}
