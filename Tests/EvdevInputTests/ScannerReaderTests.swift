import EvdevInput
import Testing

@Suite struct ScannerReaderTests {
    @Test func withNoFolderItSaysSoWaitsAndStops() async throws {
        let places = DevicePlaces(nodes: "/nowhere/input", udevData: "/nowhere/data")
        let reader = ScannerReader(ReaderConfiguration(places: places))
        try reader.start()
        try reader.start()
        var notices: [ReaderNotice] = []
        for await case .notice(let notice) in reader.outputs {
            notices.append(notice)
            if notices.count == 2 { reader.stop() }
        }
        #expect(
            notices == [
                .folderMissing("/nowhere/input"), .noScanner(configured: false, forbidden: 0),
            ])
    }

    @Test func theHeartBeatsOnTheReadersThread() async throws {
        let (beats, continuation) = AsyncStream.makeStream(of: Void.self)
        let places = DevicePlaces(nodes: "/nowhere/input", udevData: "/nowhere/data")
        let heartbeat = ReaderConfiguration.Heartbeat(interval: .milliseconds(1)) {
            continuation.yield()
        }
        let reader = ScannerReader(ReaderConfiguration(heartbeat: heartbeat, places: places))
        try reader.start()
        var iterator = beats.makeAsyncIterator()
        for _ in 0..<3 { await iterator.next() }
        reader.stop()
        var last: ReaderNotice?
        for await case .notice(let notice) in reader.outputs { last = notice }
        #expect(last == .noScanner(configured: false, forbidden: 0))
    }
}
