/// The name of a keyboard layout, with the variant of it that is meant.
///
/// ```swift
/// try KeyLayout("de")               // German, as it comes
/// try KeyLayout("de:nodeadkeys")    // German without dead keys
/// ```
///
/// The names are those of XKB, which `setxkbmap -layout` and `-variant` take too. That a name is
/// well formed does not mean that there is such a layout: ``KeyLayoutCompiler`` tells.
public struct KeyLayout: Hashable, Sendable {
    /// The layout, for instance `de`.
    public let name: String
    /// The variant, for instance `nodeadkeys`; nil for the layout as it comes.
    public let variant: String?

    /// Reads a name as it is written in a configuration.
    ///
    /// Only ASCII letters, digits, `-` and `_` are taken: XKB puts the name into an instruction of
    /// its own (`pc+de(nodeadkeys)`), and nothing else may get in there.
    ///
    /// - Parameter text: `LAYOUT` or `LAYOUT:VARIANT`.
    /// - Throws: ``KeyLayoutError/malformedName(_:)``.
    public init(_ text: String) throws(KeyLayoutError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy(Self.isWellFormed) else {
            throw .malformedName(text)
        }
        name = String(parts[0])
        variant = parts.count == 2 ? String(parts[1]) : nil
    }

    /// A name from the registry, which spells a layout without variant with none or an empty one.
    init?(name: String, variant: String?) {
        let variant = variant.flatMap { $0.isEmpty ? nil : $0 }
        guard Self.isWellFormed(name[...]), variant.map({ Self.isWellFormed($0[...]) }) ?? true
        else { return nil }
        self.name = name
        self.variant = variant
    }

    private static func isWellFormed(_ part: Substring) -> Bool {
        (1...64).contains(part.utf8.count)
            && part.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension KeyLayout: CustomStringConvertible {
    /// The name as it is written in a configuration.
    public var description: String {
        variant.map { "\(name):\($0)" } ?? name
    }
}
