import CatalogFeeds
import Crypto
import Testing

@Suite struct RevisionTests {
    @Test func orderAndHistoryDoNotMatter() {
        var (one, other) = (Revision(), Revision())
        for row in ["a", "b", "c"] { one.add(Array(row.utf8)) }
        for row in ["c", "x", "a", "b"] { other.add(Array(row.utf8)) }
        other.subtract(Array("x".utf8))
        #expect(one == other)
        other.subtract(Array("b".utf8))
        #expect(one != other)
    }

    @Test func itIsTheSumOfTheDigests() {
        // python3: sum(int(sha256(bytes([i % 256]) * i).hexdigest(), 16) for i in range(1000)) % 2**256
        var revision = Revision()
        for number in 0..<1000 {
            revision.add([UInt8](repeating: UInt8(number % 256), count: number))
        }
        #expect("\(revision)" == "c976f7b48ad54b728c0babcbc2c51ad69cbb275704e542efd8d967d39283f8c8")
    }

    @Test func itIsReadAsItIsWritten() {
        var revision = Revision()
        #expect("\(revision)" == String(repeating: "0", count: 64))
        for row in 0..<100 {
            revision.add([UInt8(row)])
            #expect(Revision(rawValue: "\(revision)") == revision)
        }
        for wrong in [
            "", "0", String(repeating: "g", count: 64), String(repeating: "A", count: 64),
        ] {
            #expect(Revision(rawValue: wrong) == nil)
        }
    }
}
