internal import Crypto

/// Hashes the fields of a row, each with its length, so that no two rows give the same bytes.
struct RowHash {
    /// How many bytes a hash has.
    static let size = 32
    /// What stands where there is no row before.
    static let none = [UInt8](repeating: 0, count: size)

    private var bytes: [UInt8] = []

    init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func add(_ part: [UInt8]) {
        add(UInt64(part.count))
        bytes.append(contentsOf: part)
    }

    mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

    /// SHA-256 of what was added.
    var value: [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}
