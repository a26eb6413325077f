import Keystrokes
import TestWaiting
import Testing

@testable import ScannerInput

@Suite struct ScannerOutputsTests {
    private let scanner = AttachedScanner(name: "counter", identity: DeviceIdentity())

    private func scan(_ text: String) -> ScannerOutput {
        .scan(
            scanner,
            Scan(text: text, keyCount: 1, startMicroseconds: 0, endMicroseconds: 0))
    }

    private func enqueue(_ outputs: [ScannerOutput], to queue: ScannerOutputs) {
        for output in outputs { queue.enqueue(output) }
    }

    private func rest(of queue: ScannerOutputs) async -> [ScannerOutput] {
        queue.finish()
        var all: [ScannerOutput] = []
        for await output in queue { all.append(output) }
        return all
    }

    @Test func outputsComeInTheirOrder() async {
        let queue = ScannerOutputs(capacity: 1_000)
        let all = (0..<500).map { scan("\($0)") }
        enqueue(all, to: queue)
        #expect(await rest(of: queue) == all)
    }

    @Test func aWaitingConsumerIsWoken() async throws {
        let queue = ScannerOutputs(capacity: 10)
        let producer = Task {
            for number in 0..<200 {
                queue.enqueue(scan("\(number)"))
                await Task.yield()
            }
            queue.finish()
        }
        var count = 0
        for await output in queue {
            if case .lost(let number) = output { count += number } else { count += 1 }
        }
        await producer.value
        #expect(count == 200)
    }

    @Test func whatDoesNotFitIsDroppedAndReportedInItsPlace() async {
        let queue = ScannerOutputs(capacity: 2)
        enqueue([scan("1"), scan("2"), scan("3"), scan("4")], to: queue)
        var iterator = queue.makeAsyncIterator()
        #expect(await iterator.next() == scan("1"))
        enqueue([scan("5")], to: queue)
        #expect(await rest(of: queue) == [scan("2"), .lost(count: 2), scan("5")])
    }

    @Test func aLossAtTheEndIsReportedToo() async {
        let queue = ScannerOutputs(capacity: 1)
        enqueue([scan("1"), scan("2")], to: queue)
        #expect(await rest(of: queue) == [scan("1"), .lost(count: 1)])
    }

    @Test func connectionsAreNeverDroppedNorCounted() async {
        let queue = ScannerOutputs(capacity: 1)
        let others: [ScannerOutput] = [
            .disconnected(scanner, .unplugged), .connected(scanner, nodes: []),
        ]
        enqueue([scan("1"), scan("2")] + others + [scan("3")] + others, to: queue)
        #expect(
            await rest(of: queue) == [scan("1"), .lost(count: 1)] + others
                + [.lost(count: 1)] + others)
    }

    @Test func aCancelledConsumerGetsTheEnd() async {
        let queue = ScannerOutputs(capacity: 1)
        let consumer = Task {
            var iterator = queue.makeAsyncIterator()
            return await iterator.next()
        }
        consumer.cancel()
        #expect(await consumer.value == nil)
        queue.enqueue(scan("1"))
        var iterator = queue.makeAsyncIterator()
        _ = await iterator.next()
        #expect(await iterator.next() == nil)
    }

    @Test func aCancelledConsumerLearnsOfALossToo() async {
        let queue = ScannerOutputs(capacity: 1)
        enqueue([scan("1"), scan("2")], to: queue)
        let consumer = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await queue.reduce(into: []) { $0.append($1) }
        }
        #expect(await consumer.value == [scan("1"), .lost(count: 1)])
    }
}
