import NIOCore
import Testing

@testable import HTTPService

/// Which connection goes where there are too many.
@Suite struct ConnectionTableTests {
    private var table = ConnectionTable<Int>(limits: ConnectionLimits(total: 6, perPeer: 3))

    private func peer(_ text: String) throws -> Peer {
        Peer(try SocketAddress(ipAddress: text, port: 1))
    }

    @Test mutating func theOldestOfAPeerWithoutTokenGoes() throws {
        let (one, other) = (try peer("10.0.0.1"), try peer("10.0.0.2"))
        #expect(table.admit(0, from: other) == nil)
        for id in 1...3 { #expect(table.admit(id, from: one) == nil) }
        table.ask(1, isKnown: true)
        table.rest(1)
        #expect(table.admit(4, from: one) == 2)
        #expect(table.admit(5, from: one) == 3)
        #expect(table.count == 4)
    }

    @Test mutating func whoeverShowsTheTokenStays() throws {
        for id in 0..<6 { _ = table.admit(id, from: try peer("10.0.0.\(id)")) }
        table.ask(0, isKnown: true)
        for id in 6..<500 {
            let gone = table.admit(id, from: try peer("10.1.\(id / 250).\(id % 250)"))
            #expect(gone != nil && gone != 0)
        }
        #expect(table.count == 6)
    }

    @Test mutating func ofThoseWithTokenTheOneGoesThatRestsForLongest() throws {
        let one = try peer("10.0.0.1")
        for id in 1...3 {
            _ = table.admit(id, from: one)
            table.ask(id, isKnown: true)
        }
        table.rest(3)
        table.rest(2)
        #expect(table.admit(4, from: one) == 3)
        table.ask(4, isKnown: true)
        #expect(table.admit(5, from: one) == 2)
        table.ask(5, isKnown: true)
        // All are busy: the one that asked first.
        #expect(table.admit(6, from: one) == 1)
    }

    @Test mutating func whatIsGoneMakesRoom() throws {
        let one = try peer("10.0.0.1")
        for id in 1...3 { _ = table.admit(id, from: one) }
        table.remove(2)
        table.remove(2)
        #expect(table.admit(4, from: one) == nil)
        table.ask(2, isKnown: true)
        table.rest(2)
        #expect(table.count == 3)
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false),
        ("127.0.0.1", "127.0.0.2", false), ("127.0.0.1", "::1", false), ("::1", "::1", true),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("fe80::1", "fe80::2", false), ("::ffff:10.0.0.1", "10.0.0.1", true),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", false),
    ])
    func aPeerIsAnAddressOrANetwork(left: String, right: String, isSame: Bool) throws {
        #expect((try peer(left) == peer(right)) == isSame)
    }
}
