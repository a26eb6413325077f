import Foundation
import GRDB

/// Values of a file that may be damaged: a value of another type is none, and never the end of the process.
extension Row {
    func integer(_ index: Int) -> Int64? {
        if case .int64(let value) = storage(index) { value } else { nil }
    }

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
