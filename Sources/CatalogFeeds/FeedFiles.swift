import CZstd
import Catalog
import Crypto
import Glibc
import WireText

/// A writer that creates a feed file of zstd-compressed lines.
final class FeedFileWriter {
    /// The zstd compression level; with this level, compressing a million products takes a second or two.
    private static let level: Int32 = 6

    private let path: String
    private let file: OpenFile
    private let context = ZSTD_createCCtx()
    private var (hash, size, unpacked) = (SHA256(), Int64(0), Int64(0))
    private var pending: [UInt8] = []
    private var output = [UInt8](repeating: 0, count: 1 << 17)

    init(path: String) throws(FeedError) {
        self.path = path
        file = try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    }

    deinit { ZSTD_freeCCtx(context) }

    func append(_ line: [UInt8]) throws(FeedError) {
        pending += line
        pending.append(0x0A)
        unpacked += Int64(line.count + 1)
        if pending.count >= 1 << 17 { try compress(ZSTD_e_continue) }
    }

    /// Completes the file, renames it, and returns its entry for the manifest.
    func finish(as name: String) throws(FeedError) -> FeedManifest.File {
        try compress(ZSTD_e_end)
        try file.synchronise()
        try FileReplacement.move(path, to: name)
        return FeedManifest.File(
            size: size, sha256: hash.finalize().hexadecimal, unpacked: unpacked)
    }

    private func compress(_ directive: ZSTD_EndDirective) throws(FeedError) {
        var (input, isDone) = (pending[...], false)
        while !isDone {
            let (rest, produced) = Zstd.step(&input, into: &output) {
                ZSTD_compressStream2(context, &$1, &$0, directive)
            }
            guard ZSTD_isError(rest) == 0 else { throw .content(of: path, .damaged) }
            try file.write(output[..<produced])
            hash.update(data: output[..<produced])
            size += Int64(produced)
            isDone = directive == ZSTD_e_end ? rest == 0 : input.isEmpty
        }
        pending.removeAll(keepingCapacity: true)
    }
}

private enum Zstd {
    /// Runs one step of libzstd, and removes the processed bytes from `input`.
    static func step(
        _ input: inout ArraySlice<UInt8>, into output: inout [UInt8],
        _ body: (inout ZSTD_inBuffer, inout ZSTD_outBuffer) -> Int
    ) -> (result: Int, produced: Int) {
        var (consumed, produced) = (0, 0)
        let result = input.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
                var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                defer { (consumed, produced) = (source.pos, target.pos) }
                return body(&source, &target)
            }
        }
        input = input.dropFirst(consumed)
        return (result, produced)
    }
}

/// A reader of the rows in a zstd-compressed feed file.
final class FeedFileReader {
    private let name: String
    private let limit: Int64
    private let isDelta: Bool
    private let file: OpenFile
    private let context = ZSTD_createDCtx()
    private var buffer = [UInt8](repeating: 0, count: 1 << 17)
    private var output = [UInt8](repeating: 0, count: 1 << 17)
    private var input: ArraySlice<UInt8> = []
    /// The decompressed bytes, and how many of them have been returned as lines.
    private var (text, taken) = ([UInt8](), 0)
    private var (unpacked, isInFrame) = (Int64(0), false)
    private var last: String?
    private(set) var count = 0
    /// The line that was read last; nil before the first line and at the end.
    private(set) var line: [UInt8]?

    /// Opens the file at `path`; the caller must have checked the file's SHA-256.
    init(
        path: String, name: String, _ file: FeedManifest.File, inDelta isDelta: Bool = false
    ) throws(FeedError) {
        (self.name, self.isDelta, limit) = (name, isDelta, file.unpacked)
        self.file = try OpenFile(path, O_RDONLY)
        // The highest compression levels need a window of 8 MB; a frame that demands more is refused.
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23)
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Reads the next row, whose ID must sort after that of the previous row; returns nil at the end.
    func next() throws(FeedError) -> FeedRow? {
        try nextLine()
        guard let row = try row else { return nil }
        if let last, !last.isBefore(row.id) {
            throw wrong(
                .init(
                    "The id \(quoted: row.id) follows \(quoted: last); expected rows sorted by id, "
                        + "each once."))
        }
        last = row.id
        return row
    }

    var row: FeedRow? {
        get throws(FeedError) {
            guard let line else { return nil }
            do throws(InvalidRow.Reason) {
                return try FeedRow(line, inDelta: isDelta)
            } catch {
                throw wrong(error)
            }
        }
    }

    func nextLine() throws(FeedError) {
        var searched = taken
        repeat {
            if let end = text[searched...].firstIndex(of: 0x0A) {
                (line, taken, count) = (Array(text[taken..<end]), end + 1, count + 1)
                return
            }
            guard text.count - taken <= FeedRow.longest else {
                count += 1
                throw wrong(FeedRow.tooLong)
            }
            text.removeFirst(taken)
            (searched, taken) = (text.count, 0)
        } while try decompress()
        guard text.isEmpty, unpacked == limit else { throw .content(of: name, .damaged) }
        line = nil
    }

    private func wrong(_ problem: InvalidRow.Reason) -> FeedError {
        .row(file: name, line: count, problem)
    }

    /// Appends decompressed bytes to ``text``; returns false at the end of the file.
    private func decompress() throws(FeedError) -> Bool {
        while true {
            if input.isEmpty { input = buffer[..<(try file.read(&buffer))] }
            // The decompressor may still have output that needs no further input.
            guard !input.isEmpty || isInFrame else { return false }
            let isOver = input.isEmpty
            let (rest, produced) = Zstd.step(&input, into: &output) {
                ZSTD_decompressStream(context, &$1, &$0)
            }
            unpacked += Int64(produced)
            isInFrame = rest != 0
            guard ZSTD_isError(rest) == 0, unpacked <= limit, !isOver || produced > 0 else {
                throw .content(of: name, .damaged)
            }
            text += output[..<produced]
            if produced > 0 { return true }
        }
    }
}

extension CatalogFile {
    /// Calls `body` with each product's feed lines from the file and this catalog; nil stands for a missing line.
    func compare(
        in scope: CatalogScope? = nil, with rows: FeedFileReader?,
        _ body: (_ id: String, _ theirs: [UInt8]?, _ ours: [UInt8]?) throws -> Void
    ) throws {
        func pass(before id: String?) throws {
            while let next = try rows?.row?.id, id.map({ next.isBefore($0) }) ?? true {
                try body(next, rows?.line, nil)
                try rows?.nextLine()
            }
        }
        try rows?.nextLine()
        try forEachProduct(in: scope) { product in
            try Task.checkCancellation()
            let line = FeedRow.line(of: product)
            // A line that equals the product's line need not be parsed.
            let isSame = rows?.line == line
            if !isSame { try pass(before: product.id) }
            let hasRow = try isSame || rows?.row.map { !product.id.isBefore($0.id) } ?? false
            try body(product.id, hasRow ? rows?.line : nil, line)
            if hasRow { try rows?.nextLine() }
        }
        try pass(before: nil)
    }
}

extension FeedManifest.File {
    /// Throws if the file at a path does not have this ``size`` and ``sha256``.
    func check(_ path: String, _ name: String) throws(FeedError) {
        let file = try OpenFile(path, O_RDONLY)
        guard file.size == size else { throw .content(of: name, .size) }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while case let count = try file.read(&buffer), count > 0 {
            hash.update(data: buffer[..<count])
        }
        guard hash.finalize().hexadecimal == sha256 else { throw .content(of: name, .digest) }
    }
}
