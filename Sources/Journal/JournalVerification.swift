import GRDB
import WireText

/// Something that is wrong with a journal.
package enum JournalFinding: Equatable, Sendable {
    /// An event is not as it was written.
    case changed(UInt64)
    /// Events between two others are missing; 0 for the beginning, nil for the end.
    case missing(after: UInt64, before: UInt64?)
    /// An event behind another cannot be read at all.
    case unreadable(after: UInt64)
    /// Something other than an event: what, in words.
    case other(String)
}

extension JournalFinding: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        switch self {
        case .changed(let sequence): "The event \(sequence) has changed."
        case .missing(let after, let before?) where after == 0:
            "Events ahead of \(before) are missing."
        case .missing(let after, let before?):
            "Events between \(after) and \(before) are missing."
        case .missing(let after, nil): "Events behind \(after) are missing."
        case .unreadable(let after): "The event behind \(after) cannot be read."
        case .other(let text): "\(text)."
        }
    }
}

/// Goes through a whole journal: every row, and whether events are missing between them.
struct JournalVerification {
    private(set) var count = 0
    private let schema: Int
    private let tell: (JournalFinding) -> Void

    init(schema: Int, _ tell: @escaping (JournalFinding) -> Void) {
        self.schema = schema
        self.tell = tell
    }

    /// Looks at everything, in one state of the file.
    mutating func run(_ db: Database) {
        tellOfStructure(db)
        let state: JournalState?
        do {
            state = try JournalState(db, schema: schema)
        } catch {
            state = nil
            tell(.other("The journal's first row has changed"))
        }
        let last = scan(db, from: state?.removed.sequence)
        if let state, last < state.newest.sequence { tell(.missing(after: last, before: nil)) }
        tellOfReaders(db)
    }

    private func tellOfStructure(_ db: Database) {
        let found = (try? String.fetchAll(db, sql: "PRAGMA quick_check(10)")) ?? ["cannot be read"]
        for text in found where text != "ok" { tell(.other("SQLite: \(text.quoted())")) }
    }

    /// Goes through the events, and returns the number of the last.
    private mutating func scan(_ db: Database, from start: UInt64?) -> UInt64 {
        var position = Int64(0)
        var last = start
        while let rows = RowScan.nextRows(db, from: &position, schema: schema) {
            for row in rows {
                count += 1
                guard let row else {
                    tell(.unreadable(after: last ?? 0))
                    continue
                }
                if let last, row.previous != last {
                    tell(.missing(after: last, before: row.entry.sequence))
                }
                if !row.isIntact { tell(.changed(row.entry.sequence)) }
                last = row.entry.sequence
            }
        }
        return last ?? 0
    }

    private func tellOfReaders(_ db: Database) {
        do {
            _ = try CursorRow.all(db)
            _ = try EpochRow.all(db)
            if schema > 1 { try DeadLetterRow.forEach(of: nil, db) { _ in } }
        } catch {
            let reason = (error as? Damage)?.reason ?? "a reader's row cannot be read"
            tell(.other(reason.prefix(1).uppercased() + reason.dropFirst()))
        }
    }
}
