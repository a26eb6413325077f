import Glibc
import Synchronization
import TestWaiting
import Testing

@testable import KeywedgeDaemon

@Suite(.blocking) struct MainLoopTests {
    private final class Notes: Sendable {
        private let box = Mutex<[String]>([])
        var all: [String] { box.withLock { $0 } }
        func add(_ note: String) { box.withLock { $0.append(note) } }
    }

    @Test func tasksRunOnTheThreadOfTheLoopUntilItIsFinished() throws {
        let loop = try MainLoop()
        let notes = Notes()
        let thread = UInt(pthread_self())
        Task(executorPreference: loop) {
            for number in 0..<1_000 {
                if UInt(pthread_self()) != thread { notes.add("elsewhere") }
                if number % 250 == 0 { notes.add("\(number)") }
                await Task.yield()
            }
            loop.finish()
        }
        #expect(loop.run(grace: .seconds(1)) {})
        #expect(notes.all == ["0", "250", "500", "750"])
    }

    @Test func aJobFromAnotherThreadWakesTheLoop() throws {
        let notes = Notes()
        let loop = try MainLoop()
        Task(executorPreference: loop) {
            for _ in 0..<1_000 {
                // A thread of the pool resumes the task, often while the loop already sleeps.
                await withCheckedContinuation { continuation in
                    Task.detached { continuation.resume() }
                }
            }
            notes.add("done")
            loop.finish()
        }
        #expect(loop.run(grace: .seconds(1)) {})
        #expect(notes.all == ["done"])
    }
}
