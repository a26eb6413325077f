internal import CLibevdev

/// A system call that failed: what was called, on what, and the kernel's answer.
public struct SystemCallError: Error, Hashable, Sendable {
    /// The call, for instance `open` or `EVIOCGRAB`.
    public var call: String
    /// The file it was made on; nil where there is none.
    public var path: String?
    /// The kernel's error number (`errno.h`).
    public var number: Int32

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - path: The file it was made on.
    ///   - number: The kernel's error number.
    public init(call: String, path: String? = nil, number: Int32) {
        self.call = call
        self.path = path
        self.number = number
    }
}

extension SystemCallError: CustomStringConvertible {
    /// One sentence, for instance `open "/dev/input/event3": Permission denied (errno 13)`.
    public var description: String {
        let place = path.map { " \(Quoted($0))" } ?? ""
        let text = clibevdev_error_text(number).map { String(cString: $0) } ?? "unknown error"
        return "\(call)\(place): \(text) (errno \(number))"
    }
}
