import Keystrokes
import TestWaiting
import Testing

@testable import EvdevInput

@Suite struct BoundedQueueTests {
    private let scanner = AttachedScanner(name: "counter", identity: DeviceIdentity())

    private func scan(_ text: String) -> ReaderOutput {
        .scan(
            scanner,
            Scan(text: text, keyCount: 1, startMicroseconds: 0, endMicroseconds: 0))
    }

    private func offer(_ outputs: [ReaderOutput], to queue: BoundedQueue, isLast: Bool = false) {
        var outputs = outputs
        #expect(queue.offer(&outputs, isLast: isLast))
        #expect(outputs.isEmpty)
    }

    private func rest(of queue: BoundedQueue) async -> [ReaderOutput] {
        var all: [ReaderOutput] = []
        for await output in ReaderOutputs(queue: queue) { all.append(output) }
        return all
    }

    @Test func whatGoesInComesOutInOrder() async {
        let queue = BoundedQueue(capacity: 1_000)
        let all = (0..<500).map { scan("\($0)") }
        offer(Array(all[..<300]), to: queue)
        offer(Array(all[300...]), to: queue, isLast: true)
        #expect(await rest(of: queue) == all)
    }

    @Test func aWaitingConsumerIsWoken() async throws {
        let queue = BoundedQueue(capacity: 10)
        let producer = Task {
            for number in 0..<200 {
                var outputs = [scan("\(number)")]
                try await waitUntil("room in the queue") {
                    queue.offer(&outputs, isLast: number == 199)
                }
                await Task.yield()
            }
        }
        var count = 0
        var lost = 0
        for await output in ReaderOutputs(queue: queue) {
            if case .notice(.lost(let number)) = output { lost += number } else { count += 1 }
        }
        try await producer.value
        #expect(count + lost == 200)
    }

    @Test func whatDoesNotFitIsThrownAwayAndSaidInItsPlace() async {
        let queue = BoundedQueue(capacity: 2)
        offer([scan("1"), scan("2"), scan("3"), scan("4")], to: queue)
        #expect(await queue.next() == scan("1"))
        offer([scan("5")], to: queue, isLast: true)
        #expect(await rest(of: queue) == [scan("2"), .notice(.lost(count: 2)), scan("5")])
    }

    @Test func aLossAtTheEndIsSaidToo() async {
        let queue = BoundedQueue(capacity: 1)
        offer([scan("1"), scan("2")], to: queue, isLast: true)
        #expect(await rest(of: queue) == [scan("1"), .notice(.lost(count: 1))])
    }

    @Test func whatIsNoScanIsNeverThrownAway() async {
        let queue = BoundedQueue(capacity: 1)
        let others: [ReaderOutput] = [
            .connected(scanner, nodes: []), .disconnected(scanner, .unplugged),
            .notice(.folderMissing("/dev/input")),
        ]
        offer([scan("1")] + others, to: queue, isLast: true)
        #expect(await rest(of: queue) == [scan("1")] + others)
    }

    @Test func whatIsNoScanIsNotCountedAmongWhatWasThrownAway() async {
        let queue = BoundedQueue(capacity: 1)
        let others: [ReaderOutput] = [
            .disconnected(scanner, .unplugged), .connected(scanner, nodes: []),
        ]
        offer([scan("1"), scan("2")] + others + [scan("3")], to: queue)
        offer(others, to: queue, isLast: true)
        #expect(
            await rest(of: queue) == [scan("1"), .notice(.lost(count: 1))] + others
                + [.notice(.lost(count: 1))] + others)
    }

    @Test func aCancelledConsumerGetsTheEnd() async {
        let queue = BoundedQueue(capacity: 1)
        let consumer = Task { await queue.next() }
        consumer.cancel()
        #expect(await consumer.value == nil)
        #expect(await queue.next() == nil)
    }
}
