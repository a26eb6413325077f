import Barcodes
import Catalog
import Foundation
import HTTPCatalog
import KeywedgeConfiguration
import KeywedgeTestKit
import TestFolders
import Testing
import WebAPI
import WireText

@testable import Diagnosis

/// The reports of the check if no setting helps, and if nothing is wrong.
@Suite struct EndpointCheckTests {
    private func failing(
        _ report: Report
    ) -> [Finding] { report.findings.filter { $0.verdict == .fails } }

    @Test func everyStepIsToldWhereAllHold() async throws {
        try await StubServer.answering {
            TriedShop.answer($0)
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(TriedShop.declaration(server)))
            #expect(report.holds)
            #expect(
                report.lines == [
                    "✓ ok        name           127.0.0.1 is an address",
                    "✓ ok        connection     connected to 127.0.0.1:\(server.port) in 1ms",
                    "  -         tls            the URL starts with http: anyone on the way can "
                        + "read and change all of it",
                    "✓ ok        authentication none is set, and the catalog wants none",
                    "✓ ok        known code     \"4006381333931\", asked as \"4006381333931\", is "
                        + "\"P\" \"Pen\", in 1ms",
                    "            id        /id gave \"P\"",
                    "            name      /name gave \"Pen\"",
                    "            codes     /ean gave \"4006381333931\"",
                    "            price     no place is declared",
                    "            unit      no place is declared",
                    "✓ ok        unknown code   \"9529999999993\" is not found",
                ])
            #expect(server.requests.count == 2)
        }
    }

    @Test func anExpiredCertificateHasNoSetting() async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        let file = try folder.write(authority.certificate, to: "ca.pem")
        let certificate = try authority.certificate(
            for: ["127.0.0.1"], validFrom: .now - 7200, validUntil: .now - 3600)
        try await StubServer.answering(tls: StubTLS(certificate)) { _ in
            StubAnswer()
        } _: {
            let report = await TriedShop.report(
                try TriedShop.configuration(
                    TriedShop.declaration($0) + "\ntls: {ca_file: \"\(file)\"}"))
            let finding = try #require(failing(report).first)
            #expect(finding.subject == .tls)
            #expect(finding.text.hasPrefix("the server's certificate expired on "))
            #expect(finding.remedies.map(\.setting) == [[]])
            #expect(
                report.findings.map(\.verdict) == [
                    .holds, .holds, .fails, .notTried, .notTried, .notTried,
                ])
        }
    }

    @Test func aCertificateForAnotherHostAsksForItsName() async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        let file = try folder.write(authority.certificate, to: "ca.pem")
        let tls = StubTLS(try authority.certificate(for: ["shop.example"]))
        try await StubServer.answering(tls: tls) { _ in
            StubAnswer()
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(
                    TriedShop.declaration(server) + "\ntls: {ca_file: \"\(file)\"}"))
            let finding = try #require(failing(report).first)
            #expect(finding.text == "the server's certificate is for another host")
            #expect(finding.remedies.map(\.setting) == [[]])
            #expect(finding.remedies.map(\.standing) == [["url: \"\(server.url)\""]])
        }
    }

    @Test func nobodyListens() async throws {
        let nobody = try RefusingPort()
        let yaml = """
            name: shop
            url: "\(nobody.url)"
            request: {path: "/p/{code}"}
            product: {id: /id}
            """
        let report = await TriedShop.report(try TriedShop.configuration(yaml))
        #expect(failing(report).map(\.subject) == [.connection])
        #expect(failing(report).first?.text == "the connection was refused")
        #expect(failing(report).first?.remedies.first?.standing == ["url: \"\(nobody.url)\""])
        withExtendedLifetime(nobody) {}
    }

    @Test func aSecretThatCannotBeRead() async throws {
        try await StubServer.answering {
            TriedShop.answer($0)
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(
                    TriedShop.declaration(server)
                        + "\nauth: {bearer: {token_file: /nonexistent/token}}"))
            let finding = try #require(failing(report).first)
            #expect(finding.subject == .authentication)
            #expect(finding.text.contains("/nonexistent/token"))
            #expect(
                finding.remedies.first?.standing == [
                    "auth:", "  bearer:", "    token_file: \"/nonexistent/token\"",
                ])
            #expect(server.requests.isEmpty)
        }
    }

    @Test func aGuessedCodeThatIsNotThereSaysNothing() async throws {
        try await StubServer.answering {
            TriedShop.answer($0)
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(TriedShop.declaration(server)),
                codes: EndpointCodes(known: [.init("4006381333948", isGuess: true)]))
            #expect(report.holds)
            #expect(
                report.findings.map(\.verdict) == [
                    .holds, .holds, .notTried, .holds, .notTried, .holds,
                ])
        }
    }

    @Test func withoutAKnownCodeARuleIsAdvisedWithCare() async throws {
        try await StubServer.answering { _ in
            StubAnswer(404)
        } _: { server in
            let yaml = TriedShop.declaration(server)
                .replacing("not_found: {status: 404}\n", with: "")
            let report = await TriedShop.report(
                try TriedShop.configuration(yaml), codes: EndpointCodes())
            let remedy = try #require(failing(report).first?.remedies.first)
            #expect(remedy.setting == ["not_found: {status: [404]}"])
            #expect(remedy.advice.contains("--known CODE"))
        }
    }

    @Test func whatAServerSaysReachesNoTerminalAsItIs() async throws {
        let evil = "\u{1B}[2J\u{9B}\u{202E}"
        let message = JSONWriter.text(of: ["message": .string(evil)])
        try await StubServer.answering { _ in
            .json(message, status: 500)
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(TriedShop.declaration(server)),
                codes: EndpointCodes(known: [.init("4006381333931" + evil)], unknown: evil))
            #expect(!report.holds)
            #expect(report.lines.flatMap(\.unicodeScalars).filter(Escaping.isUnsafe) == [])
        }
    }

    @Test func aPlainServerIsNotSentTheSecretOfASecureOne() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Array("s3cret".utf8), to: "token")
        try await StubServer.run(script: TriedShop.withoutTLS) { server in
            let yaml = TriedShop.declaration(server).replacing("http://", with: "https://")
            _ = await TriedShop.report(
                try TriedShop.configuration(
                    yaml + "\nauth: {bearer: {token_file: \"\(file)\"}}"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func whatTakesLongerThanLookupsWaitIsTold() async throws {
        let clock = ManualClock()
        try await StubServer.answering { request in
            clock.advance(by: .seconds(2))
            return TriedShop.answer(request)
        } _: { server in
            let yaml = TriedShop.declaration(server)
            let before = await TriedShop.report(try TriedShop.configuration(yaml), clock: clock)
            #expect(failing(before).map(\.subject) == [.knownCode])
            #expect(
                failing(before).first?.text.hasSuffix(
                    "in 2s, but a lookup waits for 800ms only") == true)
            let remedy = try #require(failing(before).first?.remedies.first)
            for fact in ["1500ms", "catalog.deadline", "4500ms"] {
                #expect(remedy.advice.contains(fact))
            }
            let setting = remedy.setting
            #expect(setting == ["attempt_timeout: 4500ms"])
            let after = await TriedShop.report(
                try TriedShop.configuration(yaml, with: setting), clock: clock)
            #expect(after.holds)
        }
    }

    @Test func noLongerWaitIsProposedThanALookupHas() async throws {
        let clock = ManualClock()
        try await StubServer.answering { request in
            clock.advance(by: .seconds(1))
            return TriedShop.answer(request)
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(TriedShop.declaration(server)), clock: clock)
            let remedy = try #require(failing(report).first?.remedies.first)
            #expect(remedy.advice == "Wait longer.")
            #expect(remedy.setting == ["attempt_timeout: 1500ms"])
        }
    }

    @Test(arguments: [
        (Duration.seconds(50), Duration.seconds(60)),
        (.milliseconds(1), .milliseconds(500)),
        (.milliseconds(700), .milliseconds(1500)), (.milliseconds(1499), .milliseconds(1500)),
        (.seconds(2), .milliseconds(4500)),
    ])
    func whatIsSlowGetsRoom(took: Duration, limit: Duration) {
        #expect(EndpointCheck.roomy(took, within: .milliseconds(1500)) == limit)
    }

    @Test func everyFormHasACodeThatNothingHas() {
        for form in CodeForm.allCases {
            let texts = EndpointCodes.unused.compactMap {
                BarcodeDecoder().decode($0, aim: nil).lookupKeys.lazy.compactMap(form.text).first
            }
            #expect(!texts.isEmpty, "\(form.rawValue)")
        }
    }
}
