import Keystrokes
import Testing

@Suite("KeyTable: dead keys")
struct KeyTableDeadKeyTests {
    private static let acute = DeadKey(rawValue: 0xFE51)
    private static let grave = DeadKey(rawValue: 0xFE50)
    private static let both = DeadKey(rawValue: 1)

    private static let pairs = [
        DeadKeyPair(acute, .character("e"), gives: .character("é")),
        DeadKeyPair(acute, .character(" "), gives: .character("'")),
        DeadKeyPair(acute, .dead(grave), gives: .dead(both)),
        DeadKeyPair(grave, .character("e"), gives: .character("è")),
        DeadKeyPair(both, .character("\u{10FFFF}"), gives: .character("\u{10FFFE}")),
    ]

    @Test func everyPairIsFoundInWhicheverOrderTheyWereRegistered() {
        for registered in [Self.pairs, Self.pairs.reversed()] {
            var table = KeyTable()
            table.register(registered)
            for pair in Self.pairs {
                #expect(table.composed(pair.dead, with: pair.next) == pair.result)
            }
            #expect(table.deadKeyPairs.count == Self.pairs.count)
        }
    }

    @Test func keysThatAreNoPairGiveNothing() {
        var table = KeyTable()
        #expect(table.composed(Self.acute, with: .character("e")) == .unknown)
        table.register(Self.pairs)
        #expect(table.composed(Self.acute, with: .character("x")) == .unknown)
        #expect(table.composed(Self.grave, with: .dead(Self.acute)) == .unknown)
        #expect(table.composed(Self.acute, with: .terminator) == .unknown)
        #expect(table.composed(DeadKey(rawValue: 0xFFFF), with: .character("e")) == .unknown)
    }

    @Test func theLastOfSeveralPairsForTheSameKeysCounts() {
        var table = KeyTable()
        table.register([
            DeadKeyPair(Self.acute, .character("e"), gives: .character("1")),
            DeadKeyPair(Self.acute, .character("e"), gives: .character("2")),
        ])
        #expect(table.composed(Self.acute, with: .character("e")) == .character("2"))
        table.register([DeadKeyPair(Self.acute, .character("e"), gives: .character("3"))])
        #expect(table.composed(Self.acute, with: .character("e")) == .character("3"))
        #expect(table.deadKeyPairs.count == 1)
    }
}
