import CMosquitto

/// The reason codes of acknowledgements.
///
/// Rule: MQTT 5.0, section 3.4.2.1.
enum MQTTReason {
    /// Nobody has subscribed to the topic.
    static let noMatchingSubscribers: Int32 = 0x10

    /// Another client has connected under the same name.
    static let sessionTakenOver: Int32 = 0x8E

    /// What an acknowledgement means for the event.
    static func verdict(_ reason: Int32) -> Verdict? {
        guard reason >= 0x80 else { return .taken }
        // What follows from the event itself will be so the next time, too.
        guard [0x90, 0x95, 0x99].contains(reason) else { return nil }
        return .refused(words(reason))
    }

    /// A reason in words: `Not authorized (0x87)`.
    static func words(_ reason: Int32) -> String {
        "\(String(cString: mosquitto_reason_string(reason)).lowercased()) (\(number(reason)))"
    }

    /// A reason as the standard writes it.
    static func number(_ reason: Int32) -> String {
        let digits = String(reason, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, 2 - digits.count)) + digits
    }
}
