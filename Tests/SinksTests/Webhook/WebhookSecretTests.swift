import Crypto
import Foundation
import Testing

@testable import Sinks

struct WebhookSecretTests {
    /// Uses the test vector of the reference libraries of Standard Webhooks.
    @Test func aSharedSecretSignsAsTheReferenceDoes() throws {
        let secret = try WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let signature = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330,
            body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test(arguments: [false, true])
    func aKeyOfOnesOwnSignsForWhoeverHasItsPublicHalf(isWhole: Bool) throws {
        let key = Curve25519.Signing.PrivateKey()
        let bytes = key.rawRepresentation + (isWhole ? key.publicKey.rawRepresentation : Data())
        let secret = try WebhookSecret("whsk_" + bytes.base64EncodedString())
        let text = secret.signature(id: "a", timestamp: 5, body: [1, 2])
        #expect(text.hasPrefix("v1a,"))
        let signature = try #require(Data(base64Encoded: String(text.dropFirst(4))))
        #expect(key.publicKey.isValidSignature(signature, for: Data("a.5.".utf8) + Data([1, 2])))
    }

    @Test(arguments: [
        ("", WebhookSecretError.noSecret), ("secret", .noSecret), ("whsec_%", .noSecret),
        ("whsec_AAAA", .wrongLength(3)), ("whsk_AAAA", .wrongKeyLength(3)),
        ("whsk_" + Data(repeating: 7, count: 64).base64EncodedString(), .otherPublicKey),
    ])
    func whatIsNoSecretIsRefused(text: String, error: WebhookSecretError) {
        #expect(throws: error) { try WebhookSecret(text) }
    }
}
