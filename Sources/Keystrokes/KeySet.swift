/// A set of keys, one bit each; codes above ``KeyCode/highest`` are in no set.
struct KeySet: Sendable {
    private var words = InlineArray<12, UInt64>(repeating: 0)

    var isEmpty: Bool {
        for index in words.indices where words[index] != 0 { return false }
        return true
    }

    @inline(__always)
    mutating func insert(_ code: UInt16) {
        guard code <= KeyCode.highest else { return }
        words[Int(code >> 6)] |= 1 << UInt64(code & 63)
    }

    @inline(__always)
    mutating func remove(_ code: UInt16) {
        guard code <= KeyCode.highest else { return }
        words[Int(code >> 6)] &= ~(1 << UInt64(code & 63))
    }

    mutating func removeAll() {
        self = KeySet()
    }
}
