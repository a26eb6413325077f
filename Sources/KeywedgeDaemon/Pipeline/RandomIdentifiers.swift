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
