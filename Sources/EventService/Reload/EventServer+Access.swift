import HTTPService
package import Logging

extension EventServer {
    /// Who may ask, which a reload can change.
    package struct Access: Sendable {
        let onSocket: EventAccessPolicy
        /// Nil where it listens at the socket alone.
        let onHTTP: EventAccessPolicy?

        /// Reads what settings name.
        ///
        /// - Parameters:
        ///   - settings: Who may ask.
        ///   - log: Where it is said that others can read the token.
        /// - Throws: `TokenError`.
        package init(_ settings: ListenSettings, log: Logger) throws {
            let token = try settings.tokenFile.map(BearerToken.init(file:))
            if let file = settings.tokenFile, let warning = BearerToken.warning(about: file) {
                log.warning("\(warning)")
            }
            onSocket = EventAccessPolicy(
                token: nil, listener: .unixSocket, origins: settings.origins)
            onHTTP = settings.http.map { address in
                let names = EventAccessPolicy.names(of: address, hosts: settings.hosts)
                return EventAccessPolicy(
                    token: token, listener: .tcp(names), origins: settings.origins)
            }
        }
    }

    /// Decides by other rules from now on; connections that are open, and their streams, stay.
    ///
    /// - Parameter access: The rules, for the same places.
    package func take(_ access: Access) {
        onSocket.policy = access.onSocket
        if let policy = access.onHTTP { onHTTP?.policy = policy }
    }
}
