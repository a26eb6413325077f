import Testing

@testable import EventService

/// Tests that a stream gives the same events however it is cut into chunks.
@Suite struct ServerSentEventReaderTests {
    private typealias Message = ServerSentEventReader.Message

    @Test(arguments: [1, 2, 3, 7, 1000])
    func piecesOfAnySizeGiveTheSameEvents(size: Int) throws {
        let text =
            "retry: 2000\n\nid: a-1\ndata: {\"a\":1}\n\n:\n\nid: a-2\r\ndata: x\r\ndata: y\r\n\r\n"
        let bytes = Array(text.utf8)
        var reader = ServerSentEventReader()
        var messages: [Message] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            messages += try reader.take(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(
            messages == [
                Message(id: "a-1", data: Array("{\"a\":1}".utf8)),
                Message(id: "a-2", data: Array("x\ny".utf8)),
            ])
    }

    @Test func anEventThatNeverEndsIsNotKept() {
        var reader = ServerSentEventReader()
        #expect(throws: ServerSentEventReader.TooLarge.self) {
            for _ in 0..<40 { _ = try reader.take([UInt8](repeating: 0x61, count: 1 << 15)) }
        }
    }
}
