import Testing

@testable import WireText

@Suite struct EscapingPlainTests {
    private func isPlain(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { Escaping.isPlain($0) }
    }

    /// Bytes around the ones that are escaped must neither hide them nor be taken for them.
    @Test(arguments: [UInt8(ascii: "a"), 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7E])
    func aByteThatIsNotPlainIsSeenWhereverItStands(neighbour: UInt8) {
        #expect(isPlain([]))
        for length in 1...20 {
            var bytes = [UInt8](repeating: neighbour, count: length)
            #expect(isPlain(bytes))
            for index in bytes.indices {
                for byte in UInt8.min...UInt8.max {
                    bytes[index] = byte
                    #expect(isPlain(bytes) == Escaping.isPlain(byte), "\(byte) at \(index)")
                }
                bytes[index] = neighbour
            }
        }
    }
}
