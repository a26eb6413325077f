import Glibc
import WireText

/// Whether a broker can be reached, found out ahead of a connection where there is another to turn to.
///
/// libmosquitto connects as long as the kernel tries, two minutes where a machine is off and nothing answers.
enum MQTTReach {
    /// How long each of a host's addresses may take.
    static let limit = Duration.seconds(5)

    /// Connects, and hangs up.
    ///
    /// - Parameter broker: Where the broker is.
    /// - Throws: Why it cannot be reached.
    static func check(_ broker: MQTTAddress) throws(MQTTFailure) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(broker.host, String(broker.port), &hints, &list)
        guard code == 0 else { throw MQTTFailure(String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var number = EHOSTUNREACH
        var next = list?.pointee
        while let address = next {
            number = connect(to: address)
            if number == 0 { return }
            next = address.ai_next?.pointee
        }
        throw MQTTFailure(SystemCallError(operation: "connect", errno: number).text)
    }

    /// Connects to one address; gives the number of the error, 0 for none.
    private static func connect(to address: addrinfo) -> Int32 {
        let kind = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, kind, address.ai_protocol)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let milliseconds = Int32(limit.components.seconds * 1000)
        guard poll(&waiting, 1, milliseconds) > 0 else { return ETIMEDOUT }
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        return error
    }
}
