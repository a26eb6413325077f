import NIOCore
import NIOSSL

/// The server's key is none of those pinned.
enum KeyPinningError: Error {
    /// It is this one.
    case other(PinnedKey)
    /// There is none, for there is no TLS, or it cannot be read.
    case none
}

/// Holds the key of a connection against those pinned, before anything is sent over it.
enum KeyPinning {
    /// Checks a connection whose TLS is set up, and closes it where the key is another.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - pinned: The keys one of which the server must have.
    /// - Returns: Succeeds for a pinned key; fails with ``KeyPinningError``.
    static func check(
        _ channel: any Channel, against pinned: Set<PinnedKey>
    ) -> EventLoopFuture<Void> {
        channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
            guard let key = certificate.flatMap({ PinnedKey(keyOf: $0) }) else {
                throw KeyPinningError.none
            }
            guard pinned.contains(key) else { throw KeyPinningError.other(key) }
        }.flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error is KeyPinningError ? error : KeyPinningError.none
        }
    }
}
