/// Going on where another assembler stopped between two scans.
extension ScanAssembler {
    /// What an assembler knows of its scanner between two scans, when no key is down and no lock is on.
    package struct Rest: Hashable, Sendable {
        /// Whether the scanner was seen to use Caps Lock.
        package var usesCapsLock: Bool
        /// Whether keys were lost, so that Caps Lock may be on or off.
        package var isCapsLockInDoubt: Bool
        /// When a key was last pressed or let go, in microseconds.
        package var changeMicroseconds: Int64
        /// When the last terminator came; nil where a key has followed that is none.
        package var terminatorMicroseconds: Int64?

        package init(
            usesCapsLock: Bool = false, isCapsLockInDoubt: Bool = false,
            changeMicroseconds: Int64 = 0,
            terminatorMicroseconds: Int64? = nil
        ) {
            self.usesCapsLock = usesCapsLock
            self.isCapsLockInDoubt = isCapsLockInDoubt
            self.changeMicroseconds = changeMicroseconds
            self.terminatorMicroseconds = terminatorMicroseconds
        }
    }

    /// What another assembler goes on with; nil in the middle of a scan, while a key is down, and while Caps
    /// Lock is on, which another configuration may take for something else.
    package var rest: Rest? {
        guard !framer.isInProgress, !keys.isTyping, !keys.hasCapsLock, !skipsUntilReport else {
            return nil
        }
        return Rest(
            usesCapsLock: keys.usesCapsLock,
            isCapsLockInDoubt: keys.capsIsInDoubt,
            changeMicroseconds: framer.changeMicroseconds,
            terminatorMicroseconds: framer.terminatorMicroseconds)
    }

    /// Goes on where another assembler of the same scanner stopped, which read every key up to there.
    ///
    /// - Parameter rest: What that one knew.
    package mutating func resume(from rest: Rest) {
        keys.goOn(from: rest)
        framer.goOn(from: rest)
    }
}
