import Glibc
import HTTPService
package import Logging
import Synchronization
import WireText

/// The sockets of the daemon's interface, and the files that say who may use them.
///
/// The daemon makes them before it does anything else: if a place is in use, it does not start.
/// From then on clients can connect, and wait.
package final class InterfaceSockets: Sendable {
    let settings: ListenSettings
    let access: EventServer.Access
    let identity: ServerIdentity?
    let unix: Int32
    /// Nil if it listens at the unix socket alone.
    let tcp: Int32?
    /// The socket's file, until it is removed; nil if it belongs to the service manager.
    private let file: Mutex<String?>

    /// Reads the files that the settings name, and listens.
    ///
    /// A unix socket among the service manager's descriptors is used in place of one at the path in
    /// the settings. The log gets a warning if other users can read the token.
    ///
    /// - Throws: ``EventServerError``, `TokenError`, `ServerIdentityError`.
    package init(_ settings: ListenSettings, handedOver: [Int32], log: Logger) throws {
        self.settings = settings
        access = try EventServer.Access(settings, log: log)
        if let certificate = settings.certificateFile, let key = settings.keyFile {
            identity = try ServerIdentity(certificate: certificate, key: key)
        } else {
            identity = nil
        }
        if let http = settings.http, !http.isLoopback, settings.tokenFile == nil || identity == nil
        {
            throw EventServerError.openToOthers(http)
        }
        let tcp = try settings.http.map { try ListeningSocket.tcp(at: $0) }
        do throws(EventServerError) {
            if let made = try Self.unixSocket(among: handedOver) {
                unix = made
                file = Mutex(nil)
            } else {
                unix = try ListeningSocket.unix(at: settings.socket)
                file = Mutex(settings.socket)
            }
        } catch {
            if let tcp { close(tcp) }
            throw error
        }
        self.tcp = tcp
    }

    /// Removes the socket's file, once: by then another daemon may have made its own.
    package func removeFile() {
        if let path = file.withLock({ $0.take() }) { unlink(path) }
    }

    /// Whether clients connect to one of the service manager's descriptors.
    package static func haveClients(_ handedOver: [Int32]) -> Bool {
        handedOver.contains(where: isListening)
    }

    /// The one unix socket among the service manager's descriptors; nil if none listens.
    ///
    /// A FIFO for standard output may be among them.
    private static func unixSocket(
        among handedOver: [Int32]
    ) throws(EventServerError) -> Int32? {
        let listening = handedOver.filter(isListening)
        guard let descriptor = listening.first else { return nil }
        guard listening.count == 1, option(SO_DOMAIN, of: descriptor) == AF_UNIX else {
            throw .unusableHandover(listening.count)
        }
        return descriptor
    }

    private static func isListening(_ descriptor: Int32) -> Bool {
        option(SO_ACCEPTCONN, of: descriptor) == 1
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
