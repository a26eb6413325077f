import KeyLayouts
import Keystrokes
import Testing

/// Types every character of every layout that the registry lists, and reads it back.
@Suite struct RoundTripTests {
    @Test func everyCharacterOfEveryLayoutIsReadBackAsItWasTyped() async throws {
        let layouts = try KeyLayoutRegistry.installed().entries.map(\.layout)
        let halves = [0, 1].map { half in
            layouts.indices.filter { $0 % 2 == half }.map { layouts[$0] }
        }
        let sums = try await withThrowingTaskGroup(of: RoundTrip.Sum.self) { group in
            for half in halves { group.addTask { try RoundTrip.run(half) } }
            return try await group.reduce(into: RoundTrip.Sum()) { $0 += $1 }
        }
        print(
            "\(sums.layouts) layouts and variants, \(sums.latin) of them Latin:",
            "\(sums.characters) characters read back as typed")
        #expect(sums.layouts == layouts.count)
        #expect(sums.layouts > 500)
        #expect(sums.latin > 300)
        #expect(sums.largest < 512 * 1024)
    }

    @Test func anUntypableCharacterIsAnErrorWithItsName() throws {
        let typist = Typist(table: try CompiledLayout(KeyLayout("vn")).table)
        let error = #expect(throws: TypingError.self) { try typist.events(for: "ab@") }
        #expect(
            error?.description
                == "the layout has no key for U+0040 COMMERCIAL AT, character 2 of the text")
    }
}

/// Types and reads back the characters of some layouts.
enum RoundTrip {
    struct Sum {
        var layouts = 0
        var characters = 0
        var latin = 0
        var largest = 0

        static func += (left: inout Sum, right: Sum) {
            left.layouts += right.layouts
            left.characters += right.characters
            left.latin += right.latin
            left.largest = max(left.largest, right.largest)
        }
    }

    /// Latin layouts without a key for some printable ASCII characters, and those characters.
    ///
    /// Some have their own letters instead of signs, some lack the third level, and some have signs only with Caps Lock
    /// but no key for it.
    static let withoutASCII: [String: String] = [
        "cm:dvorak": "%&", "cz:rus": "#@^_{}", "ge:ru": "\"$&'`{}", "gh:ewe": "[]",
        "ie:ogam_is434": "':;@[]{}", "iq:ku_ara": ";", "ir:ku_ara": ";",
        "kz:latin": "#$%&'@V[]^_`{|}~", "lv:ergonomic": "|", "no:mac": "$[\\]{}~",
        "no:mac_nodeadkeys": "$'[\\]{}~", "no:smi_nodeadkeys": "~", "pt:colemak": ",;",
        "trans": "#'<>", "trans:qwerty": "#'<>", "uz:latin": "'", "vn": "!#$@[]{}",
    ]

    static func run(_ layouts: [KeyLayout]) throws -> Sum {
        let compiler = try KeyLayoutCompiler()
        var sum = Sum()
        for layout in layouts {
            let table = try compiler.compile(layout).table
            sum.layouts += 1
            sum.largest = max(sum.largest, table.byteCount)
            let typist = Typist(table: table)
            sum.characters += check(layout, table, typist)
            if checkASCII(layout, table, typist) { sum.latin += 1 }
        }
        return sum
    }

    /// Types every character in ascending and in descending order, reads them back, and returns their number.
    private static func check(
        _ layout: KeyLayout, _ table: KeyTable, _ typist: Typist
    ) -> Int {
        let reachable = table.reachableCharacters
        let typed = reachable.filter { typist.keystrokes(for: $0) != nil }
        #expect(reachable.subtracting(typed).sorted() == [], "\(layout)")
        let ascending = typed.sorted()
        for text in [ascending, ascending.reversed()] {
            #expect(read(text, on: table, with: typist) == text, "\(layout)")
        }
        return typed.count
    }

    private static func read(
        _ text: [Unicode.Scalar], on table: KeyTable, with typist: Typist
    ) -> [Unicode.Scalar]? {
        var string = String.UnicodeScalarView()
        string.append(contentsOf: text)
        guard let events = try? typist.events(for: String(string)) else { return nil }
        var assembler = ScanAssembler(
            settings: ScanSettings(
                table: table, lengths: 1...100_000, splitsAIMIdentifier: false))
        var scans: [String] = []
        for event in events {
            if case .scan(let scan) = assembler.feed(event) { scans.append(scan.text) }
        }
        return scans.count == 1 ? scans[0].unicodeScalars.map { $0 } : nil
    }

    /// Returns whether the layout is Latin; a Latin layout must lack exactly the characters in ``withoutASCII``.
    private static func checkASCII(
        _ layout: KeyLayout, _ table: KeyTable, _ typist: Typist
    ) -> Bool {
        let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { Unicode.Scalar($0) }
        let own = table.cellCharacters(at: KeyLevel.all.filter { !$0.contains(.control) })
        guard own.isSuperset(of: letters) else { return false }
        let missing = (UInt8(0x20)...0x7E).map { Unicode.Scalar($0) }
            .filter { typist.keystrokes(for: $0) == nil }
        let expected = withoutASCII[layout.description] ?? ""
        #expect(missing == expected.unicodeScalars.sorted(), "\(layout)")
        return true
    }
}

extension KeyTable {
    /// Returns the characters that keys have at some levels.
    func cellCharacters(at levels: [KeyLevel]) -> Set<Unicode.Scalar> {
        var found: Set<Unicode.Scalar> = []
        for key in keys {
            for level in levels {
                if case .character(let character) = self[key, level] { found.insert(character) }
            }
        }
        return found
    }

    /// The characters that can be typed without Num Lock and Enter, with AltGr, level 5 and Caps Lock only if the table
    /// has a key for them.
    var reachableCharacters: Set<Unicode.Scalar> {
        var missing: KeyLevel = [.altGr, .level5, .caps, .num]
        for key in keys {
            switch self[key, []] {
            case .modifier(.altGr): missing.remove(.altGr)
            case .modifier(.level5): missing.remove(.level5)
            default: break
            }
            if self[key, []] == .capsLock || self[key, .shift] == .capsLock {
                missing.remove(.caps)
            }
        }
        let levels = KeyLevel.all.filter { $0.isDisjoint(with: missing) }
        var typed: Set<KeyMeaning> = []
        for key in keys where key != .enter && key != .kpenter {
            for level in levels where self[key, level] != .unknown {
                typed.insert(self[key, level])
            }
        }
        return (typed.union(composed(from: typed))).reduce(into: []) { found, meaning in
            if case .character(let character) = meaning { found.insert(character) }
        }
    }

    private func composed(from typed: Set<KeyMeaning>) -> Set<KeyMeaning> {
        let pairs = deadKeyPairs.filter { typed.contains($0.next) }
        var states = typed
        var count = 0
        while count < states.count {
            count = states.count
            for pair in pairs where states.contains(.dead(pair.dead)) { states.insert(pair.result) }
        }
        return states
    }
}
