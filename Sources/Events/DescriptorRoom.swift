import Glibc

/// Waits on a thread of its own until a descriptor takes bytes.
///
/// The tasks of a program share few threads, and none of those may wait for a slow reader.
enum DescriptorRoom {
    private final class Waiting {
        let descriptor: Int32
        let continuation: CheckedContinuation<Void, Never>

        init(_ descriptor: Int32, _ continuation: CheckedContinuation<Void, Never>) {
            self.descriptor = descriptor
            self.continuation = continuation
        }
    }

    /// Returns when writing makes sense again: when there is room, or an error to be told of.
    static func wait(for descriptor: Int32) async {
        await withCheckedContinuation { continuation in
            let waiting = Unmanaged.passRetained(Waiting(descriptor, continuation))
            var thread = pthread_t()
            let result = pthread_create(
                &thread, nil,
                { pointer in
                    guard let pointer else { return nil }
                    DescriptorRoom.wait(Unmanaged<Waiting>.fromOpaque(pointer).takeRetainedValue())
                    return nil
                }, waiting.toOpaque())
            guard result == 0 else {
                // Without a thread to be had, this one waits.
                wait(waiting.takeRetainedValue())
                return
            }
            pthread_detach(thread)
        }
    }

    private static func wait(_ waiting: Waiting) {
        var descriptor = pollfd(fd: waiting.descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&descriptor, 1, -1) < 0, errno == EINTR {}
        waiting.continuation.resume()
    }
}
