import GRDB
import Synchronization

extension EventJournal {
    /// Reads the whole journal once, a page at a time between what others read: what rotted is found
    /// before somebody needs it.
    func checkAll() {
        readings.enqueue { self.checkReaders() }
    }

    private func checkReaders() {
        check {
            try self.readings.readNow { db in
                _ = try CursorRow.all(db)
                _ = try EpochRow.all(db)
                _ = try DeadLetterRow.letters(of: nil, limit: .max, db)
            }
            self.checkEvents(after: nil)
        }
    }

    private func checkEvents(after cursor: Cursor?) {
        readings.enqueue {
            self.check {
                let page = try self.readings.readNow {
                    try PageReading($0).page(after: cursor, limit: Retention.step)
                }
                if !page.entries.isEmpty { self.checkEvents(after: page.next) }
            }
        }
    }

    private func check(_ body: () throws -> Void) {
        guard state.withLock({ !$0.isClosed && !$0.isEnding && $0.readingTrouble == nil }) else {
            return
        }
        do {
            try body()
        } catch {
            guard case .damage(let damage) = JournalTrouble(error) else { return }
            change { $0.damage = damage }
        }
    }
}
