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

/// Goes through a whole journal: every row, and how the rows are chained.
struct JournalVerification {
    private(set) var count = 0
    private let tell: (JournalFinding) -> Void

    init(_ tell: @escaping (JournalFinding) -> Void) { self.tell = tell }

    /// Looks at everything, in one state of the file.
    mutating func run(_ db: Database) {
        tellOfStructure(db)
        let state: JournalState?
        do {
            state = try JournalState(db)
        } catch {
            state = nil
            tell(.other("The journal's first row has changed"))
        }
        let last = chain(db, from: state?.removed)
        if let state { compare(last, with: state.newest) }
        tellOfReaders(db)
    }

    private func tellOfStructure(_ db: Database) {
        let found = (try? String.fetchAll(db, sql: "PRAGMA quick_check(10)")) ?? ["cannot be read"]
        for text in found where text != "ok" { tell(.other("SQLite: \(text.quoted())")) }
    }

    /// Follows the chain.
    ///
    /// - Returns: Its last row.
    private mutating func chain(_ db: Database, from start: ChainEnd?) -> ChainEnd {
        var position = Int64(0)
        var last = start
        var isLastIntact = true
        while let rows = RowScan.nextRows(db, from: &position) {
            for row in rows {
                count += 1
                guard let row else {
                    tell(.unreadable(after: last?.sequence ?? 0))
                    continue
                }
                if let last, row.previous != last.sequence {
                    tell(.missing(after: last.sequence, before: row.entry.sequence))
                } else if let last, row.link != last.hash, isLastIntact, row.isIntact {
                    // It was written anew with a hash that fits it, and not the one behind it.
                    tell(.changed(last.sequence))
                }
                if !row.isIntact { tell(.changed(row.entry.sequence)) }
                isLastIntact = row.isIntact
                last = row.end
            }
        }
        return last ?? .none
    }

    private func compare(_ last: ChainEnd, with newest: ChainEnd) {
        if last.sequence < newest.sequence {
            tell(.missing(after: last.sequence, before: nil))
        } else if last.sequence == newest.sequence, last.hash != newest.hash {
            tell(.changed(last.sequence))
        }
    }

    private func tellOfReaders(_ db: Database) {
        do {
            _ = try CursorRow.all(db)
            _ = try EpochRow.all(db)
            _ = try DeadLetterRow.letters(of: nil, limit: .max, db)
        } catch {
            let reason = (error as? Damage)?.reason ?? "a reader's row cannot be read"
            tell(.other(reason.prefix(1).uppercased() + reason.dropFirst()))
        }
    }
}
