import Foundation
import TestFolders
import Testing

@testable import KeywedgeConfiguration

@Suite struct ConfigurationFileTests {
    /// Writes bytes to a file in a temporary folder, and calls `body` with the file's path.
    private func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws
        -> Result
    {
        let folder = try TemporaryFolder()
        return try body(folder.write(bytes, to: "keywedge.yaml"))
    }

    private func problem(_ path: String) -> String? {
        do {
            _ = try Configuration.load(path: path)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func aFileIsReadAndItsPathsStartFromItsFolder() throws {
        let text = "catalog: {sources: [{embedded: c.sqlite}]}"
        let (path, configuration) = try withFile(Array(text.utf8)) { path in
            (path, try Configuration.load(path: path))
        }
        let folder = path.dropLast("/keywedge.yaml".count)
        let expected = CatalogConfiguration(sources: [.embedded(path: "\(folder)/c.sqlite")])
        #expect(configuration == Configuration(catalog: expected))
    }

    @Test func anEmptyFileMeansTheDefaults() throws {
        let configuration = try withFile([]) { try Configuration.load(path: $0) }
        #expect(configuration == .standard)
    }

    @Test func aMissingFileIsNamed() {
        #expect(
            problem("/nonexistent/k.yaml")
                == "/nonexistent/k.yaml: open failed: No such file or directory (errno 2)"
        )
    }

    @Test func aDirectoryIsNone() {
        #expect(problem("/tmp") == "/tmp: read failed: Is a directory (errno 21)")
    }

    @Test(arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func bytesThatAreNotUTF8SayTheirLine(_ bytes: [UInt8]) throws {
        try withFile(Array("# \u{e9}\n\nevents: ".utf8) + bytes + [0x0A]) { path in
            #expect(problem(path) == "\(path):3: expected text in UTF-8, found other bytes")
        }
    }

    @Test func anEndlessFileIsNotReadToItsEnd() {
        #expect(
            problem("/dev/zero")
                == "/dev/zero: expected a file of at most 1048576 bytes, found a longer one")
    }

    @Test func aWrongFileOnDiskSaysItsPathAndLine() throws {
        try withFile(Array("\nbarcodes: {region: x}\n".utf8)) { path in
            #expect(
                problem(path)
                    == "\(path):2: barcodes.region: expected SE, NO, FI, EE, LT, LV, DK, DE, GB or US, found \"x\""
            )
        }
    }
}
