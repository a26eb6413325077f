internal import Crypto
import Events
import Foundation
import GRDB

/// A row in a table of the journal, with a hash that reveals changes on disk.
protocol JournalRow {
    static var table: String { get }
    /// The columns that a row's hash covers, in the order in which they are hashed.
    static var hashed: [String] { get }
    static var others: [String] { get }
    var hashedValues: [DatabaseValue] { get }
    var otherValues: [DatabaseValue] { get }

    init?(_ row: Row)
}

extension JournalRow {
    static var others: [String] { [] }
    var otherValues: [DatabaseValue] { [] }

    static var columns: String { (hashed + ["hash"] + others).joined(separator: ", ") }

    static func read(_ row: Row) -> Self? { row.isIntact(hashed.count) ? Self(row) : nil }

    static func fetchAll(
        _ db: Database, _ rest: String = "", _ arguments: StatementArguments = []
    ) throws -> [Self] {
        let sql = "SELECT \(columns) FROM \(table) \(rest)"
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
            guard let value = read(row) else {
                throw Damage("a row of its table \(table) has changed")
            }
            return value
        }
    }

    func write(_ db: Database) throws {
        let values = hashedValues
        let all = values + [values.hash.databaseValue] + otherValues
        let places = all.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT OR REPLACE INTO \(Self.table) (\(Self.columns)) VALUES (\(places))"
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(all))
    }
}

extension [DatabaseValue] {
    /// The SHA-256 hash of the values.
    ///
    /// It also covers the lengths of texts and blobs, because different values could otherwise yield the same bytes.
    var hash: Data {
        var bytes: [UInt8] = []
        func add(_ number: UInt64) {
            Swift.withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for value in self {
            switch value.storage {
            case .int64(let number): add(UInt64(bitPattern: number))
            case .string(let text):
                add(UInt64(text.utf8.count))
                bytes.append(contentsOf: text.utf8)
            case .blob(let data):
                add(UInt64(data.count))
                bytes.append(contentsOf: data)
            case .null, .double: bytes.append(0)
            }
        }
        return Data(SHA256.hash(data: bytes))
    }
}

/// Values read from a file that may be damaged; a value of an unexpected type is nil.
extension Row {
    /// Whether the values of the first `count` columns match the hash in the column after them.
    func isIntact(_ count: Int) -> Bool {
        bytes(count) == Array((0..<count).map { self[$0] as DatabaseValue }.hash)
    }

    func integer(_ index: Int) -> Int64? {
        if case .int64(let value) = storage(index) { value } else { nil }
    }

    func number(_ index: Int) -> UInt64? { integer(index).flatMap(UInt64.init(exactly:)) }

    func text(_ index: Int) -> String? {
        if case .string(let value) = storage(index) { value } else { nil }
    }

    func bytes(_ index: Int) -> [UInt8]? {
        if case .blob(let value) = storage(index) { Array(value) } else { nil }
    }

    private func storage(_ index: Int) -> DatabaseValue.Storage {
        (self[index] as DatabaseValue).storage
    }
}

extension UInt64 {
    var value: DatabaseValue { Int64(clamping: self).databaseValue }
}
