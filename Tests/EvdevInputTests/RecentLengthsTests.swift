import Testing

@testable import EvdevInput

@Suite struct RecentLengthsTests {
    @Test func theLastLengthsAreKnownHoweverOftenTheyCame() {
        var lengths = RecentLengths()
        for length in [13, 9, 9, 11, 13, 20, 9, 13] { lengths.note(length) }
        #expect([9, 11, 13, 20].allSatisfy(lengths.contains))
        // The one that has not come for the longest time makes room.
        lengths.note(8)
        #expect([8, 9, 13, 20].allSatisfy(lengths.contains))
        #expect(!lengths.contains(11))
    }
}
