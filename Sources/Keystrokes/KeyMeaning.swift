/// What pressing a key means, at one ``KeyLevel``.
public enum KeyMeaning: Hashable, Sendable {
    /// Nothing the table knows: a scan that contains it is rejected.
    case unknown
    /// No data, on purpose: the key is passed over.
    case ignored
    /// A character.
    case character(Unicode.Scalar)
    /// The end of a scan.
    case terminator
    /// Changes the meaning of other keys while it is held.
    case modifier(ModifierKey)
    /// Switches Caps Lock on or off.
    case capsLock
    /// Nothing by itself: it and the next key give a character, see ``KeyTable/composed(_:with:)``.
    case dead(DeadKey)
    /// Begins a character that is typed as its number in hexadecimal digits (Ctrl+Shift+U).
    case unicodeEntry
}

extension KeyMeaning {
    /// The meaning packed into 32 bits: the kind above, its payload (at most a scalar) below, and
    /// between them what a scanner's start and terminators make of the key.
    ///
    /// Packed, a table is one flat block of memory, and reading it allocates and retains nothing.
    @usableFromInline
    struct Packed: Hashable, Sendable {
        var bits: UInt32

        static let payloadMask: UInt32 = 0x1F_FFFF
        /// It begins a scan.
        static let startFlag: UInt32 = 1 << 21
        /// It is a terminator, and types its payload where it turns out to be data.
        static let dataFlag: UInt32 = 1 << 22
        static let unknownKind: UInt32 = 0 << 24
        static let ignoredKind: UInt32 = 1 << 24
        static let characterKind: UInt32 = 2 << 24
        static let terminatorKind: UInt32 = 3 << 24
        static let modifierKind: UInt32 = 4 << 24
        static let capsLockKind: UInt32 = 5 << 24
        static let deadKind: UInt32 = 6 << 24
        static let unicodeEntryKind: UInt32 = 7 << 24

        var kind: UInt32 { bits & 0xFF00_0000 }
        var payload: UInt32 { bits & Self.payloadMask }

        /// The character it types, be it one that ends scans; nil where it types none.
        var character: UInt32? {
            switch kind {
            case Self.characterKind: payload
            case Self.terminatorKind: bits & Self.dataFlag == 0 ? nil : payload
            default: nil
            }
        }

        var isStart: Bool { bits & Self.startFlag != 0 }
        var isEnd: Bool { kind == Self.terminatorKind }

        /// The same key where it begins a scan.
        var asStart: Packed { Packed(bits: bits | Self.startFlag) }

        /// The same key where it ends a scan.
        var asEnd: Packed {
            let typed = character.map { $0 | Self.dataFlag } ?? 0
            return Packed(bits: Self.terminatorKind | typed | bits & Self.startFlag)
        }

        /// The meaning on the layout, whatever begins and ends scans.
        var unmarked: Packed {
            if isEnd, let character { return Packed(bits: Self.characterKind | character) }
            return Packed(bits: bits & ~(Self.startFlag | Self.dataFlag))
        }
    }

    var packed: Packed {
        switch self {
        case .unknown: Packed(bits: Packed.unknownKind)
        case .ignored: Packed(bits: Packed.ignoredKind)
        case .character(let scalar): Packed(bits: Packed.characterKind | scalar.value)
        case .terminator: Packed(bits: Packed.terminatorKind)
        case .modifier(let key): Packed(bits: Packed.modifierKind | UInt32(key.rawValue))
        case .capsLock: Packed(bits: Packed.capsLockKind)
        case .dead(let key): Packed(bits: Packed.deadKind | UInt32(key.rawValue))
        case .unicodeEntry: Packed(bits: Packed.unicodeEntryKind)
        }
    }

    init(_ packed: Packed) {
        switch packed.kind {
        case Packed.ignoredKind: self = .ignored
        case Packed.characterKind:
            self = Unicode.Scalar(packed.payload).map(KeyMeaning.character) ?? .unknown
        case Packed.terminatorKind: self = .terminator
        case Packed.modifierKind:
            self = ModifierKey(rawValue: UInt8(packed.payload)).map(KeyMeaning.modifier) ?? .unknown
        case Packed.capsLockKind: self = .capsLock
        case Packed.deadKind: self = .dead(DeadKey(rawValue: UInt16(packed.payload)))
        case Packed.unicodeEntryKind: self = .unicodeEntry
        default: self = .unknown
        }
    }
}
