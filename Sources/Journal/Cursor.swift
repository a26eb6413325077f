/// How far a reader of the journal got: everything up to this event.
///
/// As text `EPOCH-SEQUENCE`, for example `k3v9q0c2m7xd-42`.
package struct Cursor: Hashable, Sendable, LosslessStringConvertible {
    /// The life of the journal.
    package let epoch: Epoch
    /// The last event that was taken; 0 for none.
    package let sequence: UInt64

    /// Makes a cursor.
    ///
    /// - Parameters:
    ///   - epoch: The life of the journal.
    ///   - sequence: The last event that was taken; 0 for none.
    package init(epoch: Epoch, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// Reads a cursor.
    ///
    /// - Parameter text: `EPOCH-SEQUENCE`; nil for others. The number may have zeros in front, as
    ///   in the events.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = Epoch(String(parts[0])),
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let sequence = UInt64(parts[1])
        else { return nil }
        self.init(epoch: epoch, sequence: sequence)
    }

    /// The text `EPOCH-SEQUENCE`.
    package var description: String { "\(epoch)-\(sequence)" }
}
