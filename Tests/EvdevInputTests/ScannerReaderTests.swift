import EvdevInput
import Testing

@Suite struct ScannerReaderTests {
    @Test func withNoFolderItSaysSoWaitsAndStops() async throws {
        let places = DevicePlaces(nodes: "/nowhere/input", udevData: "/nowhere/data")
        let reader = ScannerReader(ReaderConfiguration(places: places))
        try reader.start()
        try reader.start()
        var outputs: [ReaderOutput] = []
        for await output in reader.outputs {
            outputs.append(output)
            if outputs.count == 2 { reader.stop() }
        }
        #expect(
            outputs == [
                .notice(.folderMissing("/nowhere/input")),
                .notice(.noScanner(configured: false, forbidden: 0)),
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
        var last: ReaderOutput?
        for await output in reader.outputs { last = output }
        #expect(last == .notice(.noScanner(configured: false, forbidden: 0)))
    }
}
