internal import Glibc
package import WireText

/// A virtual serial port (a pseudoterminal); this process acts as the scanner that is attached to it.
package final class VirtualPort {
    /// `TIOCSPTLCK`, the `ioctl` request to lock or unlock the port.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    package let path: String
    let descriptor: Int32

    /// Creates a port, which disappears when the last reference to this object is released.
    package init() throws(SystemCallError) {
        var isLocked: Int32 = 0
        var number: Int32 = 0
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        let isOpen =
            descriptor >= 0 && ioctl(descriptor, Self.setLock, &isLocked) == 0
            && ioctl(descriptor, Self.getNumber, &number) == 0
        path = "/dev/pts/\(number)"
        guard isOpen else {
            throw SystemCallError(operation: "open", path: "/dev/ptmx", errno: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends bytes to the port, as its scanner would.
    package func send(_ bytes: [UInt8]) throws(SystemCallError) {
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SystemCallError(operation: "write", path: path, errno: errno)
        }
    }
}
