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
    /// The format of ours for writing keystrokes by hand.
    case keys

    /// A line that shows what the format looks like.
    public var example: String {
        switch self {
        case .evemu: "E: 0.000001 0001 001c 0001"
        case .libinput: "version: 1"
        case .evtest: "Event: time 0.000001, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1"
        case .keys: "type \"4006381333931\""
        }
    }
}
