import Testing

@testable import Sinks

struct SinkStatusReporterTests {
    @Test func aTroubleIsReportedOnceUntilItChangesOrIsOver() {
        let ear = Ear()
        let reporter = ear.reporter
        reporter.well()
        for text in ["away", "away", "full"] { reporter.trouble(text) }
        reporter.well()
        reporter.well()
        #expect(ear.notices == [.trouble("away"), .trouble("full"), .well])
    }

    /// After a reload another sink has the name: its status must not show the trouble of this one.
    @Test func aRetiredSinkReportsWarningsOnly() {
        let ear = Ear()
        let reporter = ear.reporter
        reporter.trouble("away")
        reporter.retire()
        reporter.trouble("full")
        reporter.well()
        reporter.warn("an event was refused")
        #expect(ear.notices == [.trouble("away"), .warning("an event was refused")])
    }
}
