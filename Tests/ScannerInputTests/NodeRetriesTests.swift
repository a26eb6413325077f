import Glibc
import Testing
import WireText

@testable import ScannerInput

@Suite struct NodeRetriesTests {
    private final class Reports {
        var notices: [ReaderNotice] = []
    }

    private let reports = Reports()

    private func retries() -> NodeRetries {
        NodeRetries(permissionsTimeout: 2_000_000) { [reports] in reports.notices.append($0) }
    }

    private func error(_ errno: Int32) -> SystemCallError {
        SystemCallError(operation: "open", path: "/e3", errno: errno)
    }

    @Test func aBusyNodeIsTriedAgainLaterAndReportedOnce() {
        var retries = retries()
        for now in [0, 1_000_000] as [Int64] {
            retries.begin("/e3")
            #expect(retries.deadline == nil)
            retries.fail("/e3", error(EBUSY), scanner: "counter", at: now)
        }
        #expect(retries.deadline == 1_200_000)
        #expect(reports.notices == [.claimedElsewhere(node: "/e3", scanner: "counter")])
    }

    @Test func aForbiddenNodeIsReportedWhenItStaysForbidden() {
        var retries = retries()
        retries.fail("/e3", error(EACCES), scanner: "counter", at: 0)
        #expect(reports.notices == [] && retries.due(at: 2_000_000) == ["/e3"])
        retries.begin("/e3")
        retries.fail("/e3", error(EACCES), scanner: "counter", at: 2_000_000)
        #expect(reports.notices == retries.forbidden.map { .noPermission($0) })
        #expect(retries.deadline == nil && retries.forbidden.map(\.node) == ["/e3"])
    }

    @Test func aForbiddenNodeOfAnUnknownDeviceIsNotReported() {
        var retries = retries()
        retries.fail("/e3", error(EACCES), scanner: nil, at: 0)
        #expect(retries.deadline == nil && reports.notices == [])
    }

    @Test func aNodeThatIsPermittedAndThenBusyIsTriedByItsBackoffAlone() {
        var retries = retries()
        retries.fail("/e3", error(EACCES), scanner: "counter", at: 0)
        retries.begin("/e3")
        retries.recordOpen("/e3")
        retries.fail("/e3", error(EBUSY), scanner: "counter", at: 5_000_000)
        #expect(retries.deadline == 5_100_000 && retries.forbidden == [])
    }

    @Test(arguments: [ENOENT, ENODEV, ENXIO])
    func aNodeWithoutADeviceIsForgotten(errno: Int32) {
        var retries = retries()
        retries.begin("/e3")
        retries.fail("/e3", error(errno), scanner: "counter", at: 0)
        #expect(retries.paths == [])
    }

    @Test func pausesDoubleUpToFiveSeconds() {
        var retries = retries()
        var pauses: [Int64] = []
        for _ in 0..<8 {
            retries.fail("/e3", error(EBUSY), scanner: nil, at: 1_000)
            pauses.append((retries.deadline ?? 0) - 1_000)
        }
        #expect(
            pauses == [
                100_000, 200_000, 400_000, 800_000, 1_600_000, 3_200_000, 5_000_000, 5_000_000,
            ])
    }

    @Test func aPauseNeverOverflows() {
        var retries = retries()
        retries.fail("/e3", error(EBUSY), scanner: nil, at: .max)
        #expect(retries.deadline == .max)
    }
}
