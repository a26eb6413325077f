import NIOCore
import NIOPosix

/// A transport's own event loop, on a thread of its own.
///
/// SwiftNIO looks the names of hosts up one after the other for each loop, and a name server that
/// does not answer takes ten seconds and more of that. On a loop that several transports share it
/// would keep all of them from their servers. With one loop for all of its requests, none hops from
/// the loop it is followed on to that of its connection, which costs more than a second thread would
/// gain.
struct DedicatedEventLoop: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// The loop.
    var loop: any EventLoop { group.any() }

    /// Ends the thread, once all that has to be looked up on the loop was.
    func end() {
        let loop = loop
        loop.flatSubmit {
            // An address is not looked up, so that this waits for what stands before it and no more.
            NIORandomizedDNSResolver(loop: loop).initiateAAAAQuery(host: "127.0.0.1", port: 0)
        }.whenComplete { [group] _ in
            group.shutdownGracefully { _ in }
        }
    }
}
