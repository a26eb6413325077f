import Glibc
import Keystrokes
import Synchronization
import Testing
import WireText

@testable import ScannerInput

@Suite(.timeLimit(.minutes(5))) struct ReaderLoopTests {
    private final class Beats: Sendable {
        private let number = Atomic(0)
        var count: Int { number.load(ordering: .relaxed) }
        func add() { number.add(1, ordering: .relaxed) }
    }

    /// Receiving a message also clears the wakeup of a stop that comes at the same time, so nothing would end another
    /// wait.
    @Test func aStopThatComesWithAMessageIsNotWaitedFor() throws {
        let beats = Beats()
        var configuration = ReaderConfiguration()
        // The loop beats before each wait; the interval is so short that a beat also ends the wait.
        configuration.heartbeat = .init(interval: .microseconds(1), beat: beats.add)
        let inbox = try Mailbox<ReaderLoop.Message>()
        inbox.post(.move([:]))
        var loop = try ReaderLoop(
            configuration, inbox: inbox, finder: Mailbox(),
            outputs: AsyncStream.makeStream().continuation)
        var questions = 0
        _ = loop.run {
            questions += 1
            // Asks to stop after the message has ended the first wait.
            return questions > 2
        }
        #expect(beats.count == 1)
    }

    /// Once a scanner is reported as gone, the next device may get its name, so the finder must know first.
    @Test(arguments: [ENODEV, EIO])
    func aScannerEndsOnceTheFinderHasItsNodeBack(error: Int32) async throws {
        let hardware = FakeHardware(number: 1, identity: DeviceIdentity())
        let node = ClaimedNode(
            path: "/e1", device: FakeDevice(try FakeFile(hardware)),
            origin: .resumed(ScanAssembler.Rest()))
        let plan = ReaderLoop.Plan(
            scanner: AttachedScanner(name: "counter", identity: DeviceIdentity()),
            assembler: InterfaceAssembler(
                .keyboard(KeyCapabilities(hasDigits: true, hasEnter: true)),
                settings: ScanSettings()))
        let inbox = try Mailbox<ReaderLoop.Message>()
        let finder = try Mailbox<Finder.Message>()
        let (outputs, continuation) = AsyncStream<ReaderOutput>.makeStream()
        var loop = try ReaderLoop(
            ReaderConfiguration(), inbox: inbox, finder: finder, outputs: continuation)
        hardware.fail(error)
        inbox.post(.read([node], plan))
        var turns = 0
        _ = loop.run {
            turns += 1
            return turns > 4
        }
        var iterator = outputs.makeAsyncIterator()
        guard case .scanner(_, let queue) = await iterator.next() else {
            Issue.record("no scanner")
            return
        }
        // A queue that has ended would drop this output.
        queue.enqueue(.lost(count: 1))
        let messages = finder.receive()
        try #require(messages.count == 1)
        guard case .returned(_, let found, let then) = messages[0] else {
            Issue.record("\(messages)")
            return
        }
        #expect(found?.errno == error)
        then()
        var reported: [ScannerOutput] = []
        for await output in queue { reported.append(output) }
        #expect(reported.contains(.lost(count: 1)))
        guard case .disconnected = reported.last else {
            Issue.record("\(reported)")
            return
        }
    }

    /// On a busy machine, the thread reads the scanner's answer to a signal together with the message that announces it.
    @Test func anAnswerThatArrivesWithItsAnnouncementIsNoPartOfACode() async throws {
        let port = try VirtualPort()
        let device = try SerialDevice(
            path: port.path, identity: DeviceIdentity(), settings: SerialSettings())
        let node = ClaimedNode(
            path: port.path, device: device, origin: .resumed(ScanAssembler.Rest()))
        let plan = ReaderLoop.Plan(
            scanner: AttachedScanner(name: "counter", identity: DeviceIdentity()),
            assembler: InterfaceAssembler(.serial, settings: ScanSettings()))
        let inbox = try Mailbox<ReaderLoop.Message>()
        let (outputs, continuation) = AsyncStream<ReaderOutput>.makeStream()
        var loop = try ReaderLoop(
            ReaderConfiguration(), inbox: inbox, finder: Mailbox(), outputs: continuation)
        inbox.post(.read([node], plan))
        var questions = 0
        _ = loop.run {
            questions += 1
            if questions == 3 {
                inbox.post(.expectAnswer(node.number))
                #expect(throws: Never.self) { try port.send(Array("\u{06}1\r".utf8)) }
                var state = pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0)
                #expect(poll(&state, 1, -1) == 1)
            }
            // The loop asks before and after each of two waits.
            return questions > 4
        }
        var iterator = outputs.makeAsyncIterator()
        guard case .scanner(_, let queue) = await iterator.next() else {
            Issue.record("no scanner")
            return
        }
        queue.finish()
        var texts: [String] = []
        for await output in queue {
            if case .scan(_, let scan) = output { texts.append(scan.text) }
        }
        #expect(texts == ["1"])
    }
}
