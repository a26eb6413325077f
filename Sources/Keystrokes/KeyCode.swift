/// A key, identified by its Linux key code (`linux/input-event-codes.h`).
///
/// A key code stands for a position on the keyboard, not a character: `KEY_Q` is the key to the right of Tab, whatever
/// is printed on it.
public struct KeyCode: RawRepresentable, Hashable, Sendable {
    /// The Linux key code; the kernel defines none above ``highest``.
    public var rawValue: UInt16

    /// Creates a key from any number, even one that is not a Linux key code.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The highest Linux key code (`KEY_MAX`).
    public static let highest: UInt16 = 0x2FF

    /// Whether the key types no character on any layout; true for function, cursor and media keys.
    var typesNothing: Bool {
        switch rawValue {
        case 59...68, 70, 87, 88, 99, 102...110, 113...116, 119, 120, 128...178, 181...239: true
        default: false
        }
    }
}

extension KeyCode: CustomStringConvertible {
    /// Finds a key by its kernel name, for instance `KEY_ENTER`; nil if the kernel has no such key.
    public init?(name: String) {
        guard let number = Self.numbersByName[name] else { return nil }
        self.init(rawValue: number)
    }

    /// The kernel's name, such as `KEY_ENTER`, or else a hexadecimal code, such as `KEY_0x2f0`.
    public var name: String {
        Self.namesByNumber[rawValue]?.first ?? "KEY_0x" + String(rawValue, radix: 16)
    }

    /// The same as ``name``.
    public var description: String { name }

    /// The kernel's names for each key code; ``name`` returns the first.
    private static let namesByNumber: [UInt16: [String]] = {
        var found: [UInt16: [String]] = [:]
        for run in names.split(separator: "\n") {
            let words = run.split(separator: " ")
            guard let first = words.first.flatMap({ UInt16($0) }) else { continue }
            for (number, word) in zip(first..., words.dropFirst()) {
                found[number] = word.split(separator: "=").map(String.init)
            }
        }
        return found
    }()

    private static let numbersByName = Dictionary(
        namesByNumber.flatMap { number, names in names.map { ($0, number) } },
        uniquingKeysWith: { first, _ in first })
}
