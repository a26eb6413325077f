import Glibc
import Testing
import WireText

@testable import ScannerInput

@Suite struct ForbiddenNodeTests {
    private func reason(
        _ errno: Int32, _ node: String = "/dev/input/event3", major: dev_t = 13,
        mode: mode_t = 0o660, group: gid_t = 994
    ) -> ForbiddenNode.Reason {
        // A device number such as 4:64, composed as `makedev` composes small numbers.
        ForbiddenNode(node, errno: errno, number: major << 8 | 64, mode: mode, group: group).reason
    }

    @Test func theRightsNameTheGroupAndTheCgroupNamesTheRule() {
        #expect(reason(EACCES) == .group(994))
        #expect(reason(EPERM) == .cgroup(rule: "c 13:* r"))
        #expect("\(reason(EACCES))".contains("--group-add=994"))
        #expect("\(reason(EPERM))".contains("--device-cgroup-rule='c 13:* r'"))
    }

    @Test(arguments: [
        ("/dev/hidraw3", 245, "c 245:* rw"), ("/dev/ttyACM0", 166, "c 166:* rw"),
        // Consoles have major 4, too.
        ("/dev/ttyS0", 4, "c 4:64 rw"),
    ])
    func aScannerThatIsWrittenToNeedsBothRights(
        node: String, major: dev_t, rule: String
    ) {
        #expect(reason(EPERM, node, major: major) == .cgroup(rule: rule))
    }

    @Test func noNumberIsNamedThatWouldNotHelp() {
        #expect(reason(EACCES, mode: 0o600) == .owner)
        #expect(reason(EACCES, group: 0) == .owner)
        #expect(reason(EACCES, group: 65_534) == .group(nil))
    }

    @Test func onlyRightsAreWaitedFor() throws {
        for (errno, isWarning) in [(EACCES, false), (EPERM, true)] {
            let error = SystemCallError(operation: "open", path: "/dev/null", errno: errno)
            let node = try #require(ForbiddenNode(error))
            #expect(ReaderNotice.noPermission(node).isWarning == isWarning)
            #expect("\(ReaderNotice.noPermission(node))".contains("waiting") == !isWarning)
        }
    }

    @Test func anotherErrorForbidsNothing() {
        let error = SystemCallError(operation: "open", path: "/dev/null", errno: EBUSY)
        #expect(ForbiddenNode(error) == nil)
    }

    @Test func aSentenceNamesTheFirstNodeAndCountsTheOthers() throws {
        let nodes = ["/dev/a", "/dev/b", "/dev/c"].compactMap {
            ForbiddenNode(SystemCallError(operation: "open", path: $0, errno: EACCES))
        }
        let notice = ReaderNotice.noScanner(configured: true, forbidden: nodes).description
        #expect(notice.contains("/dev/a") && notice.hasSuffix("and 2 others"))
        #expect([ForbiddenNode]().clause == "")
    }
}
