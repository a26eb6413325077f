package import Keystrokes
package import ScannerInput
import WireText
import Yams

extension Codec<[KeyCode: KeyMeaning]> {
    static let keys = dictionary(
        "a mapping such as {KEY_F8: \"\\u001d\"}", of: .meaning, keys: .key,
        order: { $0.rawValue < $1.rawValue })
}

extension Codec<KeyCode> {
    /// A key by the kernel's name (`KEY_F8`) or, if it has none, by number (`KEY_0x2f0`).
    fileprivate static let key = Self(
        read: { reader in
            guard let name = reader.text("the kernel's name of a key") else { return nil }
            let keys = (0...KeyCode.highest).map { KeyCode(rawValue: $0) }
            let number = name.hasPrefix("KEY_0x") ? UInt16(name.dropFirst(6), radix: 16) : nil
            let unnamed = keys.first { $0.rawValue == number && $0.name.hasPrefix("KEY_0x") }
            if let key = KeyCode(name: name) ?? unnamed { return key }
            let full = name.uppercased().hasPrefix("KEY_") ? name : "KEY_" + name
            let hint = NearestName.hint(for: full, in: keys.map(\.name), within: .max)
            return reader.refuse(expected: "the kernel's name of a key\(hint)")
        },
        write: { Node(word: $0.name) },
        schema: { _ in .string(pattern: "^(KEY|BTN)_[A-Za-z0-9_]+$") })
}

extension Codec<KeyMeaning> {
    fileprivate static let meaning = words(
        [("ignore", .ignored), ("terminator", .terminator)],
        or: text(
            "one character, ignore or terminator", .character,
            read: { $0.onlyScalar.map(KeyMeaning.character) },
            write: { if case .character(let character) = $0 { String(character) } else { nil } }))
}

extension ScanSettings.Terminators {
    /// The set's elements as written in the file, with one `enter` for both Enter keys.
    fileprivate var elements: [Self] {
        let enter = keys.isSuperset(of: Self.enter.keys) ? [Self.enter] : []
        let others = enter.isEmpty ? keys : keys.subtracting(Self.enter.keys)
        return enter + others.sorted { $0.rawValue < $1.rawValue }.map { Self(keys: [$0]) }
            + characters.sorted().map { Self(characters: [$0]) }
    }

    /// The keys and characters in the set, written as in a configuration file, such as `enter` and `"#"`.
    package var names: [String] {
        elements.compactMap { Codec<Self>.end.write($0)?.scalar }.map { name in
            name.style == .plain ? name.string : name.string.quoted(upTo: .max)
        }
    }
}

extension Codec<ScanSettings.Terminators> {
    /// The keys or characters that end a scan; `[none]` is read as an empty set.
    static let terminators = ends(
        nonEmpty: "at least one terminator ([none] if only a pause ends a scan)")

    /// The keys or characters that begin a scan; `[none]` is read as an empty set.
    static let starts = ends(nonEmpty: "at least one start ([none] if any key begins a scan)")

    private static func ends(nonEmpty: String) -> Self {
        let list = Codec<[Value]>.list(
            "a list such as [enter, tab], or [none]", of: .end, nonEmpty: nonEmpty, onOneLine: true
        ) { _, ends in
            Codec<[Value]>.reportRepeats(in: ends, by: \.self) { item, _, _ in
                item.report(expected: "each terminator once")
            }
        }.adding(["uniqueItems": true])
        return Self(
            read: { reader in
                guard reader.tree.items?.map(\.text) != ["none"] else { return Value.none }
                return list.read(reader)?.reduce(into: Value.none) { all, end in
                    all.keys.formUnion(end.keys)
                    all.characters.formUnion(end.characters)
                }
            },
            write: { ends in
                ends.isEmpty
                    ? Node([Node(word: "none")], .implicit, .flow) : list.write(ends.elements)
            },
            schema: { .any(of: ["const": ["none"]], list.schema(&$0)) })
    }

    /// An element of `terminators` or `start`: a key, a character or a name such as `enter`.
    fileprivate static let end = words(
        [("enter", .enter), ("tab", Value(keys: [.tab])), ("esc", Value(keys: [.esc]))],
        or: Self(
            read: characterOrKey,
            write: { end in
                end.keys.first.flatMap(Codec<KeyCode>.key.write)
                    ?? end.characters.first.map { Node(text: String($0)) }
            }, schema: { .any(of: .character, Codec<KeyCode>.key.schema(&$0)) }))

    @Sendable private static func characterOrKey(_ reader: ConfigurationReader) -> Value? {
        let expected = "enter, tab, esc, none, one character or the kernel's name of a key"
        guard let text = reader.text(expected) else { return nil }
        if let character = text.onlyScalar { return Value(characters: [character]) }
        if text.hasPrefix("KEY_") || KeyCode(name: text) != nil {
            return Codec<KeyCode>.key.read(reader).map { Value(keys: [$0]) }
        }
        return reader.refuse(
            expected: text == "none" ? "none to be the only element, for no terminator" : expected)
    }
}

extension Codec<CodeIdentifiers> {
    static let codeIdentifiers = words(
        [("none", .none), ("zebra", .zebra), ("datalogic", .datalogic)],
        or: Codec<[String: String]>.dictionary(
            "none, zebra, datalogic or a mapping such as {d: \"]E0\", j: \"]C0\"}",
            // Rule: ISO/IEC 15424, section 4.
            of: .text(
                "an AIM identifier such as ]E0, or \"\" for none",
                matching: .string(pattern: "^(\\][A-Za-z][A-Za-z0-9])?$")),
            keys: .text(
                "an identifier of 1 to 8 characters", ["minLength": 1, "maxLength": 8],
                where: { (1...8).contains($0.unicodeScalars.count) }), order: <
        ).map({ CodeIdentifiers($0) }, \.meanings))
}

/// The signals that a scanner gives for a rejected scan, an unknown product and a found product.
package struct FeedbackConfiguration: Equatable, Sendable {
    package enum Signal: String, Sendable, CaseIterable {
        case none
        case error
        case good
        case notOnFile = "not-on-file"

        package var scannerSignal: ScannerSignal? { ScannerSignal(rawValue: rawValue) }
    }

    package var rejected = Signal.none
    package var notFound = Signal.none
    package var found = Signal.none

    package init() {}

    static let section = Section("feedback", Self(), onOneLine: { _ in true }) {
        Setting("rejected", \.rejected, .choice, "The signal after a rejection.")
        Setting("not_found", \.notFound, .choice, "The signal after a code that no product has.")
        Setting("found", \.found, .choice, "The signal after a code whose product was found.")
    }
}

extension Codec<[ScannerSignal: [UInt8]]> {
    /// The commands for Honeywell scanners (source: "Host Commands" in the guides for Xenon and Granit).
    private static let honeywell = [
        ScannerSignal.good: Array("\u{1B}7,".utf8), .error: Array("\u{1B}8,".utf8),
    ]
    /// The commands for Datalogic scanners (source: "Host Commands" in the guides for Magellan).
    private static let datalogic = [
        ScannerSignal.good: Array("B".utf8), .notOnFile: Array("F".utf8),
    ]

    static let feedbackCommands = words(
        [("none", [:]), ("honeywell", honeywell), ("datalogic", datalogic)],
        or: dictionary(
            "none, honeywell, datalogic or a mapping such as {error: \"\\e8,\"}", of: .bytes,
            keys: .choice, order: { $0.rawValue < $1.rawValue }))
}

extension Codec<[UInt8]> {
    /// Bytes, written as a string of 1 to 64 characters from U+0000 to U+00FF, one for each byte.
    fileprivate static let bytes = Codec<String>.text(
        "1 to 64 characters up to \"\\xff\", each for one byte",
        matching: .text(pattern: "^[\\u0000-\\u00ff]{1,64}$")
    ).map(
        { $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } },
        { String($0.map { Character(Unicode.Scalar($0)) }) })
}
