package import Keystrokes

/// The key events of one scan, collected to determine the keyboard layout.
package struct CalibrationScan: Sendable {
    /// The pause after which a scan is complete.
    package static let pause = Duration.milliseconds(700)

    package private(set) var events: [KeyEvent] = []
    private var lastPress: Int64?

    package init() {}

    package var hasBegun: Bool { lastPress != nil }

    /// The deadline for the scan's next key, in microseconds; nil before the first key.
    package var deadlineMicroseconds: Int64? {
        lastPress.map { $0 + Self.pause.wholeMicroseconds }
    }

    /// Adds an event, or returns false if the event belongs to the next scan.
    package mutating func take(_ event: KeyEvent) -> Bool {
        if let deadline = deadlineMicroseconds, event.microseconds >= deadline { return false }
        if event.type == InputEventType.key, event.value == 1 { lastPress = event.microseconds }
        events.append(event)
        return true
    }

    /// The settings for start and terminators, guessed from the positions of Enter, Tab and Esc.
    package var settings: ScanSettings {
        let pressed = events.filter { $0.type == InputEventType.key && $0.value == 1 }
            .map { KeyCode(rawValue: $0.code) }
        let enter: Set<KeyCode> = [.enter, .kpenter]
        let comesFirst = pressed.first.map(enter.contains) ?? false
        let comesAgain = pressed.dropFirst().contains(where: enter.contains)
        if comesFirst, !comesAgain { return ScanSettings(start: .enter, terminators: .none) }
        if comesFirst || comesAgain { return ScanSettings(terminators: .enter) }
        for key in [KeyCode.tab, .esc] where pressed.last == key {
            return ScanSettings(terminators: .init(keys: [key]))
        }
        return ScanSettings(terminators: .none)
    }
}
