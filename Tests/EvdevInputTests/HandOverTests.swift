import Keystrokes
import Testing

@testable import EvdevInput

@Suite struct HandOverTests {
    private let scanner = AttachedScanner(name: "counter", identity: DeviceIdentity())

    private func scan(_ text: String) -> ReaderOutput {
        .scan(
            scanner,
            Scan(text: text, keyCount: 1, startMicroseconds: 0, endMicroseconds: 0))
    }

    private func offer(_ outputs: [ReaderOutput], to handOver: HandOver, isLast: Bool = false) {
        var outputs = outputs
        #expect(handOver.offer(&outputs, isLast: isLast))
        #expect(outputs.isEmpty)
    }

    private func rest(of handOver: HandOver) async -> [ReaderOutput] {
        var all: [ReaderOutput] = []
        for await output in ReaderOutputs(handOver: handOver) { all.append(output) }
        return all
    }

    @Test func whatGoesInComesOutInOrder() async {
        let handOver = HandOver(capacity: 1_000)
        let all = (0..<500).map { scan("\($0)") }
        offer(Array(all[..<300]), to: handOver)
        offer(Array(all[300...]), to: handOver, isLast: true)
        #expect(await rest(of: handOver) == all)
    }

    @Test func aWaitingConsumerIsWoken() async {
        let handOver = HandOver(capacity: 10)
        let producer = Task {
            for number in 0..<200 {
                var outputs = [scan("\(number)")]
                while !handOver.offer(&outputs, isLast: number == 199) { await Task.yield() }
                await Task.yield()
            }
        }
        var count = 0
        var lost = 0
        for await output in ReaderOutputs(handOver: handOver) {
            if case .notice(.lost(let number)) = output { lost += number } else { count += 1 }
        }
        await producer.value
        #expect(count + lost == 200)
    }

    @Test func whatDoesNotFitIsThrownAwayAndSaidInItsPlace() async {
        let handOver = HandOver(capacity: 2)
        offer([scan("1"), scan("2"), scan("3"), scan("4")], to: handOver)
        #expect(await handOver.next() == scan("1"))
        offer([scan("5")], to: handOver, isLast: true)
        #expect(await rest(of: handOver) == [scan("2"), .notice(.lost(count: 2)), scan("5")])
    }

    @Test func aLossAtTheEndIsSaidToo() async {
        let handOver = HandOver(capacity: 1)
        offer([scan("1"), scan("2")], to: handOver, isLast: true)
        #expect(await rest(of: handOver) == [scan("1"), .notice(.lost(count: 1))])
    }

    @Test func whatIsNoScanIsNeverThrownAway() async {
        let handOver = HandOver(capacity: 1)
        let others: [ReaderOutput] = [
            .connected(scanner, nodes: []), .disconnected(scanner, .unplugged),
            .notice(.folderMissing("/dev/input")),
        ]
        offer([scan("1")] + others, to: handOver, isLast: true)
        #expect(await rest(of: handOver) == [scan("1")] + others)
    }

    @Test func whatIsNoScanIsNotCountedAmongWhatWasThrownAway() async {
        let handOver = HandOver(capacity: 1)
        let others: [ReaderOutput] = [
            .disconnected(scanner, .unplugged), .connected(scanner, nodes: []),
        ]
        offer([scan("1"), scan("2")] + others + [scan("3")], to: handOver)
        offer(others, to: handOver, isLast: true)
        #expect(
            await rest(of: handOver) == [scan("1"), .notice(.lost(count: 1))] + others
                + [.notice(.lost(count: 1))] + others)
    }

    @Test func aCancelledConsumerGetsTheEnd() async {
        let handOver = HandOver(capacity: 1)
        let consumer = Task { await handOver.next() }
        consumer.cancel()
        #expect(await consumer.value == nil)
        #expect(await handOver.next() == nil)
    }
}
