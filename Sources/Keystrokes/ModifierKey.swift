/// A key that is held to change the meaning of others.
///
/// Left and right are told apart, so that releasing one while the other is held changes nothing.
public enum ModifierKey: UInt8, CaseIterable, Sendable {
    /// The left Shift key.
    case leftShift
    /// The right Shift key.
    case rightShift
    /// The left Control key.
    case leftControl
    /// The right Control key.
    case rightControl
    /// AltGr, or whatever chooses XKB's third level.
    case altGr
    /// The chooser of XKB's fifth level.
    case level5
    /// Alt; no key types text while it is held.
    case alt
    /// A Meta ("Windows") key; no key types text while it is held.
    case meta
}

/// The modifier keys that are down, and the locks that are on.
struct ModifierState: Equatable, Sendable {
    /// One bit per ``ModifierKey`` that is down.
    private(set) var held: UInt8 = 0
    /// The locks that are on: ``KeyLevel/caps`` and ``KeyLevel/num``.
    private(set) var locks: KeyLevel = []
    /// The level that follows, kept ready so that a key press need not compute it.
    private(set) var level: KeyLevel = []

    private static let shiftKeys: UInt8 = bit(.leftShift) | bit(.rightShift)
    private static let controlKeys: UInt8 = bit(.leftControl) | bit(.rightControl)
    private static let textlessKeys: UInt8 = bit(.alt) | bit(.meta)

    /// Whether a held Alt or Meta makes every key a command instead of text.
    var typesNoText: Bool { held & Self.textlessKeys != 0 }

    /// The modifier keys that are down.
    var heldKeys: [ModifierKey] { Self.keys(held) }

    /// The modifier keys of a set, one bit per key.
    static func keys(_ bits: UInt8) -> [ModifierKey] {
        ModifierKey.allCases.filter { bits & bit($0) != 0 }
    }

    mutating func press(_ key: ModifierKey) {
        held |= Self.bit(key)
        updateLevel()
    }

    mutating func release(_ key: ModifierKey) {
        held &= ~Self.bit(key)
        updateLevel()
    }

    mutating func toggle(_ lock: KeyLevel) {
        locks.formSymmetricDifference(lock)
        updateLevel()
    }

    mutating func releaseAll() {
        hold(0)
    }

    /// Makes exactly these keys the ones that are down, one bit per key.
    mutating func hold(_ keys: UInt8) {
        held = keys
        updateLevel()
    }

    /// Whether a key is down.
    func holds(_ key: ModifierKey) -> Bool { held & Self.bit(key) != 0 }

    private mutating func updateLevel() {
        var level = locks
        if held & Self.shiftKeys != 0 { level.insert(.shift) }
        if held & Self.controlKeys != 0 { level.insert(.control) }
        if held & Self.bit(.altGr) != 0 { level.insert(.altGr) }
        if held & Self.bit(.level5) != 0 { level.insert(.level5) }
        self.level = level
    }

    private static func bit(_ key: ModifierKey) -> UInt8 { 1 << key.rawValue }
}

extension ModifierKey {
    /// What people call it, without its side: `Shift`, `AltGr`.
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
