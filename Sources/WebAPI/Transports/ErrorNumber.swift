import Glibc

/// The system's error numbers that matter to connections.
enum ErrorNumber {
    static let refused = ECONNREFUSED
    static let reset = ECONNRESET
    static let aborted = ECONNABORTED
    static let brokenPipe = EPIPE
    static let noNetwork = ENETUNREACH
    static let networkDown = ENETDOWN
    static let noHost = EHOSTUNREACH
    static let hostDown = EHOSTDOWN
    static let timedOut = ETIMEDOUT
}
