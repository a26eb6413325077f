package import HTTPService

/// Where the daemon's interface is, and who may use it.
package struct ListenSettings: Equatable, Sendable {
    /// Where the unit's socket is.
    package static let standardSocket = "/run/keywedge/keywedge.sock"

    /// The path of the unix socket.
    package var socket: String
    /// Where it listens beside that; nil for nowhere.
    package var http: ListenAddress?
    /// The names under which it may be asked, beside its address and those of this box.
    package var hosts: [String]
    /// The origins of the pages that may ask, as browsers write them.
    package var origins: [String]
    /// The file with the token that clients of `http` show.
    package var tokenFile: String?
    /// The file with the certificate that `http` shows.
    package var certificateFile: String?
    /// The file with the certificate's key.
    package var keyFile: String?

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - socket: The path of the unix socket.
    ///   - http: Where it listens beside that.
    ///   - hosts: The names under which it may be asked.
    ///   - origins: The origins of the pages that may ask.
    ///   - tokenFile: The file with the token.
    ///   - certificateFile: The file with the certificate.
    ///   - keyFile: The file with the certificate's key.
    package init(
        socket: String = standardSocket, http: ListenAddress? = nil, hosts: [String] = [],
        origins: [String] = [], tokenFile: String? = nil, certificateFile: String? = nil,
        keyFile: String? = nil
    ) {
        self.socket = socket
        self.http = http
        self.hosts = hosts
        self.origins = origins
        self.tokenFile = tokenFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
