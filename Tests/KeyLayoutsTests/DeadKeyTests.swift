import KeyLayouts
import Keystrokes
import Testing

@Suite("Dead keys")
struct DeadKeyTests {
    /// `XKB_KEY_dead_grave` in `xkbcommon-keysyms.h`, which also defines the other two.
    static let grave = DeadKey(rawValue: 0xFE50)
    static let acute = DeadKey(rawValue: 0xFE51)
    static let circumflex = DeadKey(rawValue: 0xFE52)

    @Test func aDeadKeyComposesWithALetterWithASpaceAndDoubled() throws {
        let german = try CompiledLayout(KeyLayout("de")).table
        #expect(german[.equal, []] == .dead(Self.acute))
        #expect(german[.equal, .shift] == .dead(Self.grave))
        #expect(german[.grave, []] == .dead(Self.circumflex))
        #expect(german.composed(Self.acute, with: .character("e")) == .character("é"))
        #expect(german.composed(Self.acute, with: .character("E")) == .character("É"))
        #expect(german.composed(Self.circumflex, with: .character(" ")) == .character("^"))
        #expect(german.composed(Self.acute, with: .dead(Self.acute)) == .character("´"))
        #expect(german.composed(Self.acute, with: .character("x")) == .unknown)
        #expect(german.composed(Self.acute, with: .dead(Self.circumflex)) != .character("´"))
    }

    @Test func aLayoutWithoutDeadKeysHasNoPairs() throws {
        #expect(try CompiledLayout(KeyLayout("us")).table.deadKeyPairs.isEmpty)
        #expect(try CompiledLayout(KeyLayout("ru")).table.deadKeyPairs.isEmpty)
    }

    @Test func theTableHoldsOnlyPairsThatTheLayoutCanType() throws {
        let table = try CompiledLayout(KeyLayout("us:intl")).table
        var typed: Set<KeyMeaning> = []
        for key in table.keys { for level in KeyLevel.all { typed.insert(table[key, level]) } }
        let pairs = table.deadKeyPairs
        let states = Set(pairs.map(\.result)).filter { if case .dead = $0 { true } else { false } }
        #expect(!pairs.isEmpty)
        for pair in pairs {
            #expect(typed.contains(pair.next))
            #expect(typed.contains(.dead(pair.dead)) || states.contains(.dead(pair.dead)))
        }
    }

    @Test func twoDeadKeysInARowLeadToOneLetter() throws {
        let greek = try CompiledLayout(KeyLayout("gr")).table
        let typist = Typist(table: greek)
        let keystrokes = try #require(typist.keystrokes(for: "ΰ"))
        #expect(keystrokes.count == 3)
        #expect(greek.read(keystrokes) == ["ΰ"])
        let american = try CompiledLayout(KeyLayout("us:intl")).table
        let vietnamese = try #require(Typist(table: american).keystrokes(for: "ề"))
        #expect(vietnamese.count == 3)
        #expect(american.read(vietnamese) == ["ề"])
    }

    @Test func aLatchIsADeadKey() throws {
        let latvian = try CompiledLayout(KeyLayout("lv:apostrophe")).table
        guard case .dead(let latch) = latvian[.apostrophe, []] else {
            Issue.record("the latch is \(latvian[.apostrophe, []])")
            return
        }
        #expect(latvian.composed(latch, with: .character("a")) == .character("ā"))
        #expect(latvian.composed(latch, with: .character("A")) == .character("Ā"))
        #expect(latvian.composed(latch, with: .dead(latch)) == .character("'"))
    }

    @Test func withoutAComposeFileDeadKeysGiveNothingAndANoticeSaysSo() throws {
        let compiler = try KeyLayoutCompiler(composeFile: "/nonexistent/Compose")
        let german = try compiler.compile(KeyLayout("de"))
        #expect(german.lacksComposeFile)
        #expect(german.table[.equal, []] == .dead(Self.acute))
        #expect(german.table.composed(Self.acute, with: .character("e")) == .unknown)
        #expect(german.composeNotice?.contains("install the package libx11-data") == true)
        let american = try compiler.compile(KeyLayout("us"))
        #expect(!american.lacksComposeFile)
        #expect(american.composeNotice == nil)
    }

    @Test func anAccentAloneIsTypedWithASpace() throws {
        let typist = Typist(table: try CompiledLayout(KeyLayout("de")).table)
        #expect(
            typist.keystrokes(for: "^") == [
                Typist.Keystroke(key: .grave), Typist.Keystroke(key: .space),
            ])
        #expect(
            typist.keystrokes(for: "é") == [
                Typist.Keystroke(key: .equal), Typist.Keystroke(key: .e),
            ])
        #expect(typist.keystroke(for: "^") == nil)
    }

    @Test func aCharacterOnCapsLockAloneIsTypedWithIt() throws {
        let french = try CompiledLayout(KeyLayout("fr")).table
        let typist = Typist(table: french)
        #expect(typist.keystrokes(for: "Ç") == [Typist.Keystroke(key: .digit9, level: .caps)])
        #expect(Typist(table: french, usesCapsLock: false).keystrokes(for: "Ç") == nil)
        let keys = try typist.events(for: "çÇ1", endingWith: nil).filter { $0.value == 1 }
        #expect(
            keys.map { KeyCode(rawValue: $0.code) } == [
                .digit9, .capslock, .digit9, .capslock, .leftshift, .digit1,
            ])
    }
}

extension KeyTable {
    /// Returns the characters that keystrokes type, without an assembler; nil if they type anything else.
    func read(_ keystrokes: [Typist.Keystroke]) -> [Unicode.Scalar]? {
        var text: [Unicode.Scalar] = []
        var pending: DeadKey?
        for keystroke in keystrokes {
            var meaning = self[keystroke.key, keystroke.level]
            if let dead = pending { meaning = composed(dead, with: meaning) }
            pending = nil
            switch meaning {
            case .character(let character): text.append(character)
            case .dead(let dead): pending = dead
            default: return nil
            }
        }
        return pending == nil ? text : nil
    }
}
