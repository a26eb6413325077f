import GRDB

/// Where a journal comes from, by the witness beside it.
enum JournalOrigin: Equatable {
    /// It is the one that was here.
    case same
    /// It replaced a damaged one, of this epoch, and a crash kept the daemon from reporting that.
    case replaced(Epoch)
    /// It was restored from a copy. The witness is that of the journal before it; nil if nobody knows which numbers
    /// that one gave.
    case restored(reason: String, JournalWitness?)

    /// Compares a journal with its witness.
    ///
    /// - Throws: ``Damage``.
    init(of state: JournalState, beside lock: JournalLock, _ db: Database) throws {
        let name = lock.name.split(separator: "/").last ?? ""
        switch lock.found {
        case .missing where state.reserved > 0:
            self = .restored(reason: "\(name) is missing beside it", nil)
        case .nothing, .missing:
            self = .same
        case .copy:
            self = .restored(reason: "\(name) beside it is a copy, too", nil)
        case .witness(let witness) where witness.epoch != state.epoch:
            let isEarlier = try EpochRow.end(of: witness.epoch, db) != nil
            let reason = "it knows nothing of the epoch \(witness.epoch)"
            self = isEarlier ? .replaced(witness.epoch) : .restored(reason: reason, witness)
        case .witness(let witness) where witness.reserved > state.reserved:
            let reason = "it knows numbers up to \(state.reserved), of \(witness.reserved)"
            self = .restored(reason: reason, witness)
        case .witness:
            self = .same
        }
    }
}

extension JournalStore {
    /// Begins a new epoch if the file was restored from a copy, and renews the witness beside it.
    ///
    /// - Returns: The lock from now on, and what is to be reported.
    /// - Throws: ``JournalTrouble``.
    mutating func settle(
        beside lock: JournalLock
    ) throws -> (JournalLock, JournalReplacement?) {
        do {
            let report: JournalReplacement?
            switch try read({ try JournalOrigin(of: state, beside: lock, $0) }) {
            case .same: report = nil
            case .replaced(let ended):
                report = try replacement(
                    of: ended, reason: "a crash interrupted its replacement",
                    file: JournalExchange.damaged(beside: path).last)
            case .restored(let reason, let witness):
                let ended = witness?.epoch ?? state.epoch
                // The time of day in microseconds is above every number that was counted.
                let now = UInt64(max(0, JournalClock.Reading.now.wall))
                try begin(.new(), after: witness?.reserved ?? now, ending: [state.epoch, ended])
                report = try replacement(of: ended, reason: reason, file: nil)
            }
            let renewed = try lock.renewed(
                with: JournalWitness(epoch: state.epoch, reserved: state.reserved))
            self.lock = renewed
            return (renewed, report)
        } catch {
            close()
            throw JournalTrouble(error)
        }
    }

    private func replacement(
        of ended: Epoch, reason: String, file: String?
    ) throws -> JournalReplacement {
        let (count, holes) = try read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM event") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM hole") ?? 0
            )
        }
        return JournalReplacement(
            reason: reason, file: file, taken: count, holes: holes, ended: ended,
            epoch: state.epoch)
    }
}
