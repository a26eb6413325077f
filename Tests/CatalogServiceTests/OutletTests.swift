import HTTPService
import TestTexts
import Testing
import WireText

/// Tests that messages quote and escape texts from outside.
@Suite struct OutletTests {
    @Test func errorsQuoteWhatTheyAreAbout() {
        let misquoted = AllScalars.misquoted { path in
            let file = SystemCallError(operation: "open", path: path, errno: 2)
            let servers: [ServerIdentityError] = [
                .file(file), .unusableCertificate(path: path, reason: "x"),
            ]
            let tokens: [TokenError] = [
                .unreadable(file), .unfit(path: path, isShort: true),
                .unfit(path: path, isShort: false),
            ]
            return servers.map(\.description) + tokens.map(\.description)
        }
        #expect(misquoted == [])
    }
}
