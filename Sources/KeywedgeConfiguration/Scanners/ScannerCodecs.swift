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
    /// A key, by the kernel's name for it, such as `KEY_F8`, or by its number if it has no name, such as `KEY_0x2f0`.
    fileprivate static let key = Self(
        read: { reader in
            guard let name = reader.text("the kernel's name of a key") else { return nil }
            if let key = KeyCode(name: name) { return key }
            if name.hasPrefix("KEY_0x"), name.utf8.count <= 9,
                let number = UInt16(name.dropFirst(6), radix: 16), number <= KeyCode.highest
            {
                return KeyCode(rawValue: number)
            }
            let names = (0...KeyCode.highest).map { KeyCode(rawValue: $0).name }
            let full = name.uppercased().hasPrefix("KEY_") ? name : "KEY_" + name
            let hint = NearestName.hint(for: full, in: names, within: .max)
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

/// A key or character that begins or ends a scan.
package enum TerminatorConfiguration: Hashable, Sendable {
    /// Either Enter key.
    case enter
    case tab
    case escape
    /// A character, whichever key types it.
    case character(Unicode.Scalar)
    /// A key, whatever it types.
    case key(KeyCode)
}

extension [TerminatorConfiguration] {
    /// Makes a list of one terminator: the first of Enter, Tab and Esc that ends a scan; the list is empty if none of
    /// them does.
    package init(_ ends: ScanSettings.Terminators) {
        let known: [(KeyCode, TerminatorConfiguration)] = [
            (.enter, .enter), (.tab, .tab), (.esc, .escape),
        ]
        self = known.first { ends.keys.contains($0.0) }.map { [$0.1] } ?? []
    }
}

extension ScanSettings.Terminators {
    init(_ configured: [TerminatorConfiguration]) {
        self = .none
        for terminator in configured {
            switch terminator {
            case .enter: keys.formUnion([.enter, .kpenter])
            case .tab: keys.insert(.tab)
            case .escape: keys.insert(.esc)
            case .character(let character): characters.insert(character)
            case .key(let key): keys.insert(key)
            }
        }
    }
}

extension Codec<[TerminatorConfiguration]> {
    /// The keys or characters that end a scan; `[none]` is read as an empty list.
    static let terminators = ends(
        nonEmpty: "at least one terminator ([none] if only a pause ends a scan)")

    /// The keys or characters that begin a scan; `[none]` is read as an empty list.
    static let starts = ends(nonEmpty: "at least one start ([none] if any key begins a scan)")

    private static func ends(nonEmpty: String) -> Self {
        let list = list(
            "a list such as [enter, tab], or [none]", of: .end, nonEmpty: nonEmpty, onOneLine: true
        ) { _, ends in
            reportRepeats(in: ends, by: \.self) { item, _, _ in
                item.report(expected: "each terminator once")
            }
        }
        return Self(
            read: { reader in
                reader.tree.items?.map(\.text) == ["none"] ? [] : list.read(reader)
            },
            write: { $0.isEmpty ? Node([Node(word: "none")], .implicit, .flow) : list.write($0) },
            schema: { writer in
                var ends = list.schema(&writer)
                ends.append("uniqueItems", true)
                return .any(of: ["const": ["none"]], ends)
            })
    }
}

extension Codec<TerminatorConfiguration> {
    fileprivate static let end = words(
        [("enter", .enter), ("tab", .tab), ("esc", .escape)],
        or: Self(
            read: characterOrKey,
            write: { end in
                switch end {
                case .character(let character): Node(text: String(character))
                case .key(let key): Codec<KeyCode>.key.write(key)
                case .enter, .tab, .escape: nil
                }
            }, schema: { .any(of: .character, Codec<KeyCode>.key.schema(&$0)) }))

    @Sendable private static func characterOrKey(
        _ reader: ConfigurationReader
    ) -> TerminatorConfiguration? {
        let expected = "enter, tab, esc, none, one character or the kernel's name of a key"
        guard let text = reader.text(expected) else { return nil }
        if let character = text.onlyScalar { return .character(character) }
        if text.hasPrefix("KEY_") || KeyCode(name: text) != nil {
            return Codec<KeyCode>.key.read(reader).map { .key($0) }
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

/// The signals that a scanner gives after a rejection, an unknown product and a found product.
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
        Setting("rejected", \.rejected, .choice, "After a rejection.")
        Setting("not_found", \.notFound, .choice, "After a code that no product has.")
        Setting("found", \.found, .choice, "After a code whose product was found.")
    }
}

extension Codec<[ScannerSignal: [UInt8]]> {
    /// The commands that make a Honeywell scanner give a signal.
    ///
    /// Source: "Host Commands" in Honeywell's guides for Xenon and Granit.
    private static let honeywell = [
        ScannerSignal.good: Array("\u{1B}7,".utf8), .error: Array("\u{1B}8,".utf8),
    ]
    /// The commands that make a Datalogic scanner give a signal.
    ///
    /// Source: "Host Commands" in Datalogic's guides for Magellan.
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
    fileprivate static let bytes = text(
        "1 to 64 characters up to \"\\xff\", each for one byte",
        .text(pattern: "^[\\u0000-\\u00ff]{1,64}$"),
        read: { text in
            let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            let isRight = (1...64).contains(text.unicodeScalars.count)
            return isRight && bytes.count == text.unicodeScalars.count ? bytes : nil
        }, write: { String($0.map { Character(Unicode.Scalar($0)) }) })
}
