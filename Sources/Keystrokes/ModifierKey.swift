/// A key that changes the meaning of other keys while it is held.
///
/// Left and right keys are distinct: if both Shift keys are held and one is released, Shift stays in effect.
public enum ModifierKey: UInt8, CaseIterable, Sendable {
    case leftShift
    case rightShift
    case leftControl
    case rightControl
    /// AltGr, or another key that selects XKB's third level.
    case altGr
    /// The key that selects XKB's fifth level.
    case level5
    /// Alt; no key types text while it is held.
    case alt
    /// A Meta ("Windows") key; no key types text while it is held.
    case meta

    /// The usual name, the same for left and right keys: `Shift`, `AltGr`.
    public var name: String {
        switch self {
        case .leftShift, .rightShift: "Shift"
        case .leftControl, .rightControl: "Ctrl"
        case .altGr: "AltGr"
        case .level5: "Level5"
        case .alt: "Alt"
        case .meta: "Meta"
        }
    }
}

struct ModifierState: Hashable, Sendable {
    /// The held keys, one bit for each ``ModifierKey``.
    private var held: UInt8 = 0
    /// The locks that are on: ``KeyLevel/caps`` and ``KeyLevel/num``.
    private(set) var locks: KeyLevel = []

    var typesNoText: Bool { isAnyHeld(.alt, .meta) }

    var heldKeys: [ModifierKey] { ModifierKey.allCases.filter { isAnyHeld($0, $0) } }

    var level: KeyLevel {
        guard held != 0 else { return locks }
        var level = locks
        if isAnyHeld(.leftShift, .rightShift) { level.insert(.shift) }
        if isAnyHeld(.leftControl, .rightControl) { level.insert(.control) }
        if isAnyHeld(.altGr, .altGr) { level.insert(.altGr) }
        if isAnyHeld(.level5, .level5) { level.insert(.level5) }
        return level
    }

    mutating func press(_ key: ModifierKey) { held |= Self.bit(key) }
    mutating func release(_ key: ModifierKey) { held &= ~Self.bit(key) }
    mutating func releaseAll() { held = 0 }
    mutating func toggle(_ lock: KeyLevel) { locks.formSymmetricDifference(lock) }

    private func isAnyHeld(_ one: ModifierKey, _ other: ModifierKey) -> Bool {
        held & (Self.bit(one) | Self.bit(other)) != 0
    }

    private static func bit(_ key: ModifierKey) -> UInt8 { 1 << key.rawValue }
}
