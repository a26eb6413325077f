internal import Keystrokes

/// How the reader takes scanners over from a process before it, and leaves them to the next.
extension ReaderLoop {
    /// All nodes were looked at: what was left and is no scanner of ours is given up, and scanners that go on
    /// where they were need no pause to be whole.
    mutating func endHandover() {
        guard let handover = configuration.handover else { return }
        for node in handover.nodes { handover.giveUp(node) }
        configuration.handover?.nodes = []
        for scanner in scanners where scanner.rest != nil {
            scanner.queue.say(scanner.announcement())
        }
    }

    /// Reads on until each scanner is between two scans, and leaves it there; one that takes too long is
    /// left as it is.
    ///
    /// - Returns: How scanners were left, by what their nodes are kept by.
    mutating func leaveScanners() -> [String: ScanAssembler.Rest] {
        guard configuration.handover != nil else { return [:] }
        var left: [String: ScanAssembler.Rest] = [:]
        let end = MonotonicClock.now().later(by: Handover.grace.wholeMicroseconds)
        while true {
            let now = MonotonicClock.now()
            for scanner in scanners {
                guard let rest = scanner.rest, hasReadAll(of: scanner) else { continue }
                for node in scanner.members {
                    if let name = node.keptAs { left[name] = rest }
                    detach(node, .stopped, at: now)
                }
            }
            guard !scanners.isEmpty, now < end else { return left }
            beat(now)
            deliver()
            let tokens = poll.wait(milliseconds: min(max(timeout(at: now), 0), 10))
            readNodes(tokens)
            keepTime()
        }
    }

    /// Whether nothing of what its nodes gave waits to be taken.
    private func hasReadAll(of scanner: HeldScanner) -> Bool {
        scanner.members.allSatisfy { !unfinished.contains($0.token) }
    }
}
