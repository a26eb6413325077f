import NIOSSL
import Synchronization

/// What TLS needs on a connection, made when it is first needed.
///
/// Making it reads the system's authorities, some 140 certificates.
final class LazyTLSContext: Sendable {
    private let configuration: TLSConfiguration
    private let made = Mutex<NIOSSLContext?>(nil)

    init(_ configuration: TLSConfiguration) {
        self.configuration = configuration
    }

    /// The context; the same each time.
    func value() throws -> NIOSSLContext {
        try made.withLock { made in
            if let made { return made }
            let context = try NIOSSLContext(configuration: configuration)
            made = context
            return context
        }
    }
}
