import NIOSSL
import Synchronization

extension TLSOptions {
    /// The options as NIOSSL has them; verification is always full.
    ///
    /// - Returns: A client's configuration.
    /// - Throws: ``TLSOptionsError``, also for what NIOSSL refuses only when it is used.
    func configuration() throws(TLSOptionsError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = minimumVersion == .tls13 ? .tlsv13 : .tlsv12
        switch trust {
        case .system: break
        case .only(let files):
            configuration.trustRoots = .certificates(try Self.authorities(files))
        case .systemAnd(let files):
            configuration.additionalTrustRoots = [.certificates(try Self.authorities(files))]
        }
        if let clientCertificate {
            try clientCertificate.apply(to: &configuration)
            try Self.check(configuration)
        }
        return configuration
    }

    /// Tries whether certificate and key belong together, which shows only in use.
    ///
    /// It leaves the authorities out, for reading those of the system takes long.
    private static func check(_ configuration: TLSConfiguration) throws(TLSOptionsError) {
        var small = configuration
        small.trustRoots = .certificates([])
        small.additionalTrustRoots = []
        do {
            _ = try NIOSSLContext(configuration: small)
        } catch {
            throw .refused(FailureReading.text(of: error))
        }
    }

    private static func authorities(
        _ files: [[UInt8]]
    ) throws(TLSOptionsError) -> [NIOSSLCertificate] {
        var all: [NIOSSLCertificate] = []
        for (index, file) in files.enumerated() {
            guard let some = try? NIOSSLCertificate.fromPEMBytes(file), !some.isEmpty else {
                throw .authorities(index: index)
            }
            all += some
        }
        return all
    }
}

extension TLSOptions.ClientCertificate {
    fileprivate func apply(
        to configuration: inout TLSConfiguration
    ) throws(TLSOptionsError) {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(chain), !certificates.isEmpty
        else { throw .clientCertificate }
        guard let privateKey = try? NIOSSLPrivateKey(bytes: key, format: .pem) else {
            throw .clientKey
        }
        configuration.certificateChain = certificates.map { .certificate($0) }
        configuration.privateKey = .privateKey(privateKey)
    }
}

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
