internal import Crypto
import Events
import Foundation
import GRDB

/// Hashes the fields of a row, each with its length, so that different rows give different bytes.
struct RowHash {
    private var bytes: [UInt8] = []

    init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func add(_ part: [UInt8]) {
        add(UInt64(part.count))
        bytes.append(contentsOf: part)
    }

    mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

    /// Adds everything that an event has.
    mutating func add(_ entry: JournalEntry) {
        add(entry.sequence)
        add(entry.source)
        add(entry.id)
        add(entry.type.rawValue)
        add(entry.time.microsecondsSince1970)
        add(entry.line)
    }

    /// SHA-256 of everything added.
    var value: [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}

/// Values of a file that may be damaged: one of an unexpected type is nil, and does not end the process.
extension Row {
    func integer(_ index: Int) -> Int64? {
        if case .int64(let value) = storage(index) { value } else { nil }
    }

    /// An integer that is not negative.
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

extension [UInt8] {
    /// The bytes as SQLite takes them.
    var blob: Data { Data(self) }
}
