public import Keystrokes

/// What a recording consists of, in the order of the file.
public enum RecordingItem: Hashable, Sendable {
    /// The events that follow come from this device.
    ///
    /// A file that says nothing of its device has no such item; one with several sections has one
    /// before each section. Where ``RecordingFormat/takesTurns`` a device may come back, at the same
    /// time as others.
    case device(DeviceIdentity)
    /// One raw input event.
    ///
    /// Times are as recorded: they count from anywhere, and may go backwards.
    case event(KeyEvent)
}
