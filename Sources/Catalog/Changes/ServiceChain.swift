import Crypto
import GRDB
import Glibc

/// Through which services the products of a catalog come, so that a loop can be told.
///
/// A service is known by where its file is. That is not written into the file: a copy of it on another
/// box is another catalog.
package enum ServiceChain {
    /// How many services there may be on the way from the first catalog to this one.
    package static let longest = 16

    private static let table = """
        CREATE TABLE IF NOT EXISTS chain (position INTEGER PRIMARY KEY, id TEXT NOT NULL) STRICT
        """

    /// What tells a catalog's file from all others: 16 hexadecimal digits.
    ///
    /// - Parameter path: The file.
    /// - Returns: The id; nil where there is no such file.
    package static func id(path: String) -> String? {
        guard let stamp = FileStamp(path: path) else { return nil }
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let place = realpath(path, nil).map { resolved in
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let parts =
            [machine, String(decoding: name, as: UTF8.self), place ?? path]
            + ["\(stamp.device)", "\(stamp.inode)"]
        let digest = SHA256.hash(data: Array(parts.joined(separator: "\n").utf8))
        return digest.prefix(8).map(Self.hexadecimal).joined()
    }

    /// Reads a chain as it is written between services; nil where it is none.
    ///
    /// - Parameter text: Ids with a comma and a space in between.
    /// - Returns: The ids.
    package static func read(_ text: String) -> [String]? {
        let ids = text.split(separator: ",").map { id in id.filter { $0 != " " } }
        let areSound = ids.allSatisfy { id in
            id.utf8.count == 16
                && id.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
                }
        }
        return areSound && ids.count <= longest ? ids : nil
    }

    static func write(_ chain: [String], _ db: Database) throws {
        guard try read(db) != chain else { return }
        try db.execute(sql: table)
        try db.execute(sql: "DELETE FROM chain")
        for (position, id) in chain.enumerated() {
            try db.execute(
                sql: "INSERT INTO chain (position, id) VALUES (?, ?)", arguments: [position, id])
        }
    }

    static func read(_ db: Database) throws -> [String] {
        guard try db.hasTable("chain") else { return [] }
        return try String.fetchAll(db, sql: "SELECT id FROM chain ORDER BY position")
    }

    /// Rule: machine-id(5).
    private static var machine: String {
        guard let file = fopen("/etc/machine-id", "re") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, 63, file) != nil else { return "" }
        return String(decoding: line.prefix { $0 > 32 }.map { UInt8($0) }, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.utf8.count < 2 ? "0" + text : text
    }
}

extension EmbeddedCatalog {
    /// Through which services the products come that are followed, the first one's first.
    ///
    /// - Returns: Their ids; none for a catalog that follows no other.
    /// - Throws: `CatalogError`.
    package func chain() throws -> [String] { try read(ServiceChain.read) }

    /// Keeps through which services the products come; writes nothing where it is known.
    ///
    /// - Parameter chain: Their ids.
    /// - Throws: `CatalogError`.
    package func note(chain: [String]) throws {
        guard try self.chain() != chain else { return }
        try write { try ServiceChain.write(chain, $0) }
    }
}
