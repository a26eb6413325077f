import Glibc
import Synchronization

/// Random identifiers (RFC 9562, version 4), for which the kernel is asked once in a while only.
///
/// A class, so that copies of whoever holds it never give the same identifier.
final class RandomIdentifiers: Sendable {
    private struct Pool {
        var bytes = [UInt8](repeating: 0, count: RandomIdentifiers.poolSize)
        var used = RandomIdentifiers.poolSize
    }

    /// The most that getentropy(3) gives at once.
    private static let poolSize = 256
    private static let identifierSize = 16

    private let pool = Mutex(Pool())

    /// The next identifier.
    func next() -> String {
        pool.withLock { pool in
            if pool.used == Self.poolSize {
                Self.fill(&pool.bytes)
                pool.used = 0
            }
            defer { pool.used += Self.identifierSize }
            return pool.bytes[pool.used..<pool.used + Self.identifierSize]
                .withUnsafeBytes(UUIDText.version4)
        }
    }

    private static func fill(_ bytes: inout [UInt8]) {
        guard getentropy(&bytes, poolSize) != 0 else { return }
        // Kernels before 3.17 lack the call; Swift's own source knows what to do there.
        var generator = SystemRandomNumberGenerator()
        for index in bytes.indices { bytes[index] = generator.next() }
    }
}

/// Universally unique identifiers as text (RFC 9562).
enum UUIDText {
    /// An identifier made of 16 random bytes, version 4.
    static func version4(_ random: UnsafeRawBufferPointer) -> String {
        text(random, version: 4)
    }

    /// An identifier made of the first 16 bytes of a digest, version 8.
    static func version8(_ digest: UnsafeRawBufferPointer) -> String {
        text(digest, version: 8)
    }

    private static func text(_ source: UnsafeRawBufferPointer, version: UInt8) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var end = 0
            for index in 0..<16 {
                var byte = source[index]
                switch index {
                case 6: byte = byte & 0x0F | version << 4
                case 8: byte = byte & 0x3F | 0x80
                default: break
                }
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    buffer[end] = UInt8(ascii: "-")
                    end += 1
                }
                buffer[end] = hexDigit(byte >> 4)
                buffer[end + 1] = hexDigit(byte & 0xF)
                end += 2
            }
            return end
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
