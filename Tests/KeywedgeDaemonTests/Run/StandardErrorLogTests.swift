import Foundation
import Glibc
import Logging
import TestWaiting
import Testing

@testable import KeywedgeDaemon

@Suite(.blocking, .timeLimit(.minutes(5))) struct StandardErrorLogTests {
    @Test func aReaderThatIsStuckHangsNobodyAndGetsTheCountOfWhatWasDropped() throws {
        let pipe = Pipe()
        let writing = pipe.fileHandleForWriting.fileDescriptor
        let output = BoundedOutput(descriptor: writing)
        let log = Logger(label: "test") { _ in
            StandardErrorLog(isForJournal: false, output: output)
        }
        let text = String(repeating: "x", count: 999)
        for number in 0..<200 { log.info("\(number) \(text)") }
        let taken = try read(pipe)
        log.info("last")
        let rest = try read(pipe)
        #expect(taken.first == "keywedge: 0 \(text)")
        #expect(rest.count == 2)
        #expect(
            rest.first?.hasPrefix("keywedge: \(200 - taken.count) lines of the log were dropped")
                == true)
        #expect(rest.last == "keywedge: last")
    }

    /// The lines waiting in a pipe.
    private func read(_ pipe: Pipe) throws -> [String] {
        let reading = pipe.fileHandleForReading.fileDescriptor
        var count: Int32 = 0
        try #require(ioctl(reading, UInt(FIONREAD), &count) == 0)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        try #require(Glibc.read(reading, &bytes, bytes.count) == bytes.count)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
