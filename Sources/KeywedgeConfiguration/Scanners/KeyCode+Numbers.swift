import Keystrokes

extension KeyCode {
    /// The keys that numbers of characters are typed with in ALT mode.
    static let ofAltNumbers = named(["LEFTALT", "RIGHTALT"] + (0...9).map { "KP\($0)" })

    /// The keys that numbers of characters are typed with in Unicode entry.
    static let ofUnicodeNumbers = named(
        ["LEFTCTRL", "RIGHTCTRL", "LEFTSHIFT", "RIGHTSHIFT", "U", "A", "B", "C", "D", "E", "F"]
            + (0...9).map(String.init))

    private static func named(_ names: [String]) -> [KeyCode] {
        names.compactMap { KeyCode(name: "KEY_" + $0) }
    }
}
