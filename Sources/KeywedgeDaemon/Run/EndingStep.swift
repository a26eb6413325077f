import Logging
import ScannerInput
import ServiceLifecycle
import Synchronization
import WebAPI

/// How long each step of the daemon's end may take.
///
/// Together they are shorter than `TimeoutStopSec` of the unit, whatever the configuration says.
package struct EndingLimits: Equatable, Sendable {
    /// How long a configured deadline may keep the end waiting.
    private static let longestLookup = Duration.seconds(3)

    /// Finishing lookups; those that take longer are ended, and their scans published without product.
    let lookups: Duration
    /// Leaving the scanners to the next run, finishing lookups, and publishing.
    var scanners: Duration { lookups + Handover.grace + .milliseconds(500) }
    let reload = Duration.milliseconds(500)
    let interface = Duration.milliseconds(1500)
    /// An exec sink's command has two seconds between SIGTERM and SIGKILL.
    let sinks = Duration.seconds(3)
    let reports = Duration.milliseconds(500)
    let journal = Duration.milliseconds(1500)
    let output = Duration.seconds(1)

    /// The limits for lookups with this deadline.
    package init(deadline: Duration) {
        lookups = min(deadline + .milliseconds(500), Self.longestLookup)
    }

    /// All steps together.
    package var total: Duration {
        scanners + reload + interface + sinks + reports + journal + output
    }
}

/// A service as a step of the daemon's end: it may take as long as its limit once it is asked to end.
///
/// It runs in a task of its own. If it hangs in a call that nothing interrupts, it is left behind,
/// and the end continues with the next step.
struct EndingStep: Service, CustomStringConvertible {
    let service: any Service & CustomStringConvertible
    let limit: Duration
    let loop: MainLoop
    let record: EndingRecord
    /// What hangs if the step does not end in time.
    let culprit: @Sendable () -> String

    /// A name for the service group, which would otherwise take milliseconds of the start to print
    /// all that is in the service.
    var description: String { service.description }

    func run() async throws {
        let (endings, ending) = AsyncStream<Result<Void, any Error>>.makeStream()
        let work = Task(executorPreference: loop) {
            do {
                ending.yield(.success(try await service.run()))
            } catch {
                ending.yield(.failure(error))
            }
        }
        let result = await withGracefulShutdownHandler {
            for await result in endings { return result as Result<Void, any Error>? }
            return nil
        } onGracefulShutdown: {
            record.begin(culprit)
            Task(executorPreference: loop) {
                try? await EventLoopClock().sleep(for: limit)
                ending.finish()
            }
        }
        guard let result else {
            record.overran(description, culprit())
            return work.cancel()
        }
        try result.get()
    }
}

/// The daemon's services; its end begins with the last.
struct EndingSteps: Sendable {
    let limits: EndingLimits
    let record = EndingRecord()
    private let loop: MainLoop
    private var steps: [EndingStep] = []

    init(_ limits: EndingLimits, on loop: MainLoop) {
        self.limits = limits
        self.loop = loop
    }

    /// Adds a service; `culprit` says what hangs if it does not end within its limit.
    mutating func add(
        _ service: some Service & CustomStringConvertible, within limit: Duration,
        or culprit: @escaping @Sendable () -> String
    ) {
        steps.append(
            EndingStep(
                service: service, limit: limit, loop: loop, record: record, culprit: culprit))
    }

    /// The name of the service that reads scanners or recordings.
    var last: String { steps.last?.description ?? "" }

    /// Makes a group in which the end of the last service, or a failure, ends all in order.
    func group(log: Logger) -> ServiceGroup {
        var quiet = log
        quiet.logLevel = .error
        let services = steps.enumerated().map { index, step in
            ServiceGroupConfiguration.ServiceConfiguration(
                service: step,
                successTerminationBehavior: index == steps.count - 1
                    ? .gracefullyShutdownGroup : .ignore,
                failureTerminationBehavior: .gracefullyShutdownGroup)
        }
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services, logger: quiet))
    }
}

/// Which steps of the daemon's end did not end in time.
final class EndingRecord: Sendable {
    private struct State {
        var current: (@Sendable () -> String)?
        var culprits: [String: String] = [:]
    }

    private let state = Mutex(State())

    /// What the end waits for, in words; nil before it has begun.
    var current: String? { state.withLock { $0.current }?() }

    /// What hangs in each step that was left behind, by the name of its service.
    var culprits: [String: String] { state.withLock { $0.culprits } }

    /// Whether the step of a service was left behind.
    func hasOverrun(_ step: String) -> Bool { culprits[step] != nil }

    func begin(_ culprit: @escaping @Sendable () -> String) {
        state.withLock { $0.current = culprit }
    }

    func overran(_ step: String, _ culprit: String) {
        state.withLock { $0.culprits[step] = culprit }
    }
}
