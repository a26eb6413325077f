import GRDB
import Synchronization

extension EventJournal {
    /// Reads the whole journal once, on a thread that ends with it: what rotted is found before
    /// somebody needs it.
    func checkAll() {
        check {
            try self.checks.readNow { db in
                let found = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
                if let text = found.first, text != "ok" {
                    throw Damage("SQLite: \(text.replacing("\n", with: " "))")
                }
                _ = try EpochRow.all(db)
                try DeadLetterRow.forEach(of: nil, db) { _ in }
            }
            self.checkEvents(after: nil)
        }
    }

    /// Returns once the whole journal has been read; what is damaged is mended with the next commit.
    package func checked() async { await checks.ended() }

    private func checkEvents(after cursor: Cursor?) {
        check {
            let page = try self.checks.readNow {
                try PageReading($0).page(after: cursor, limit: Retention.step)
            }
            if page.entries.isEmpty {
                self.checks.endSoon()
            } else {
                self.checkEvents(after: page.next)
            }
        }
    }

    private func check(_ body: @escaping @Sendable () throws -> Void) {
        checks.enqueue {
            let (isWanted, replacements) = self.state.withLock {
                (!$0.isClosed && !$0.isEnding && $0.readingTrouble == nil, $0.replacements)
            }
            guard isWanted else { return self.checks.endSoon() }
            do {
                try body()
            } catch {
                if case .damage(let damage) = JournalTrouble(error) {
                    self.mend(damage, foundBehind: replacements)
                }
                self.checks.endSoon()
            }
        }
    }
}
