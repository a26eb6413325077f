import Foundation
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Tests what a probe reports about a connection.
@Suite struct ConnectionProbeTests {
    private func report(
        tls: StubTLS? = nil, options: TLSOptions = TLSOptions(),
        within limit: Duration = .patience
    ) async throws -> ConnectionReport {
        let script: StubServer.Script = { await $0.waitForClose() }
        return try await StubServer.run(tls: tls, script: script) { server in
            try await ConnectionProbe(tls: options).run(
                to: try Address(server.url).origin, within: limit)
        }
    }

    @Test func aServerWithoutTLSIsReached() async throws {
        let report = try await report()
        #expect(report.error == nil)
        #expect(report.phase == .connect)
        #expect(report.chain == [])
    }

    @Test func aCertificateIsShownWithItsDatesBelievedOrNot() async throws {
        let authority = try TestAuthority()
        let certificate = try authority.certificate(
            for: ["127.0.0.1"], validFrom: Date(timeIntervalSince1970: 1_700_000_000),
            validUntil: Date(timeIntervalSince1970: 4_102_444_800))
        let pin = try #require(PinnedKey([UInt8](repeating: 1, count: 32)))
        let trust = TLSOptions.Trust.only([authority.certificate])
        let good = try await report(
            tls: StubTLS(certificate), options: TLSOptions(trust: trust))
        let leaf = try #require(good.chain.first)
        #expect(good.error == nil && good.phase == .tls)
        #expect(leaf.validFrom == HTTPDate(secondsSince1970: 1_700_000_000))
        #expect(leaf.validUntil == HTTPDate(secondsSince1970: 4_102_444_800))
        let other = try await report(
            tls: StubTLS(certificate), options: TLSOptions(trust: trust, pinnedKeys: [pin]))
        #expect(other.error?.kind == .keyNotPinned(found: leaf.key))
        let unknown = try await report(
            tls: StubTLS(certificate),
            options: TLSOptions(trust: .only([try TestAuthority().certificate])))
        #expect(unknown.error?.kind == .certificateNotTrusted)
        #expect(unknown.chain == [leaf])
    }

    @Test func aProbeEndsWithItsTimeOrIfItIsCancelled() async throws {
        let backlog = try #require(FullBacklog())
        let origin = try Address("http://127.0.0.1:\(backlog.port)").origin
        let probe = try ConnectionProbe()
        let run = Task { await probe.run(to: origin, within: .patience) }
        try await backlog.waitForClient()
        run.cancel()
        let error = await run.value.error
        #expect(error?.kind == .cancelled && error?.phase == .connect)
        let report = await probe.run(to: origin, within: .milliseconds(200))
        #expect(report.error?.kind == .timedOut(after: .milliseconds(200)))
        #expect(report.phase == .connect && report.peer == nil)
        withExtendedLifetime(backlog) {}
    }
}
