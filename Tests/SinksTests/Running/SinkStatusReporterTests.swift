import Testing

@testable import Sinks

struct SinkStatusReporterTests {
    @Test func aTroubleIsReportedOnceUntilItChangesOrIsOver() {
        let ear = Ear()
        let reporter = ear.reporter
        reporter.report(.well)
        for text in ["away", "away", "full"] { reporter.report(.trouble(text)) }
        reporter.report(.well)
        reporter.report(.well)
        #expect(ear.notices == [.trouble("away"), .trouble("full"), .well])
    }

    /// After a reload, a new sink has the same name, and its status must not show the old one's trouble.
    @Test func aRetiredSinkReportsWarningsOnly() {
        let ear = Ear()
        let reporter = ear.reporter
        reporter.report(.trouble("away"))
        reporter.retire()
        reporter.report(.trouble("full"))
        reporter.report(.well)
        reporter.report(.warning("an event was refused"))
        #expect(ear.notices == [.trouble("away"), .warning("an event was refused")])
    }
}
