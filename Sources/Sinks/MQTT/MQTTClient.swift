import CMosquitto
import EvdevInput
import Events
import Glibc
import Synchronization
import WireText

/// One connection to a broker through libmosquitto, from its first byte to its last.
///
/// libmosquitto resolves a name and connects in one call, which may block for minutes; ``open(waking:)`` makes
/// it on a thread of its own. To abandon the attempt, drop the client: the thread frees the handle when the call
/// returns. Since the library is told about threads, it only queues what ``exchange(until:or:)`` then writes, so
/// an abandoned client never sends a byte.
///
/// A connection that broke is not used again: libmosquitto would send unacknowledged messages once more by
/// itself, and the journal does so, too.
final class MQTTClient: Sendable {
    enum Notice: Equatable, Sendable {
        case opened
        case accepted(receiveMaximum: Int)
        /// The last message is on its way.
        case published(id: Int32)
        /// The last message cannot be sent to this broker at all: why.
        case refused(String)
        case acknowledged(id: Int32, MQTTAnswer)
        case failed(MQTTFailure)
    }

    private struct State {
        var notices: [Notice] = []
        var isOpen = false
        var isAccepted = false
        /// The last words of libmosquitto about an error.
        var detail: String?
        var hasBestDetail = false
    }

    /// The other side has closed its half (`POLLRDHUP`).
    private static let hangUp: Int32 = 0x2000
    /// Initialises libmosquitto, once for the whole process.
    private static let library: Void = { _ = mosquitto_lib_init() }()

    private let broker: MQTTBrokers.Choice
    private let settings: MQTTSettings
    private let security: MQTTSecurity
    private let will: MQTTMessage?
    private let state = Mutex(State())
    /// One thread at a time uses it: the one that opens the connection, and then the caller's.
    nonisolated(unsafe) private let handle: OpaquePointer

    /// Makes a client that is not connected yet; nil without memory.
    ///
    /// A client that returns with a will resumes its session, which holds nothing but that will: to discard it
    /// would make the broker publish it (MQTT 5.0, section 3.1.4).
    init?(
        for broker: MQTTBrokers.Choice, _ settings: MQTTSettings, _ security: MQTTSecurity,
        will: MQTTMessage?
    ) {
        Self.library
        let resumes = broker.isVersion5 && broker.isReturning && will != nil
        guard let handle = mosquitto_new(settings.clientID, !resumes, nil) else { return nil }
        self.handle = handle
        self.broker = broker
        self.settings = settings
        self.security = security
        self.will = will
    }

    deinit { mosquitto_destroy(handle) }

    /// Connects on a thread of its own, and wakes the caller when there is a notice.
    func open(waking wakeup: Wakeup) {
        do {
            try WaitingThread.start { [self] in
                do throws(MQTTFailure) {
                    try configure()
                    try connect()
                    note(.opened)
                } catch {
                    note(.failed(error))
                }
                wakeup.wake()
            }
        } catch {
            note(.failed(MQTTFailure("\(error)")))
        }
    }

    /// Removes and returns what happened.
    func takeNotices() -> [Notice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    /// Waits for the broker, for `wakeup` or for the moment; reads and writes what there is.
    func exchange(until moment: ContinuousClock.Instant, or wakeup: Wakeup) {
        let time = ContinuousClock.now.duration(to: moment)
        guard state.withLock({ $0.isOpen }) else { return wakeup.wait(atMost: time) }
        let descriptor = mosquitto_socket(handle)
        guard descriptor >= 0 else { return note(.failed(MQTTFailure("the connection broke"))) }
        acknowledgeAtOnce(descriptor)
        let events = POLLIN | Self.hangUp | (mosquitto_want_write(handle) ? POLLOUT : 0)
        var waiting = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(clamping: Int64(max(time, .zero) / .milliseconds(1)) + 1)
        guard poll(&waiting, 2, milliseconds) > 0 else { return }
        if waiting[1].revents != 0 { wakeup.wait() }
        exchange(Int32(waiting[0].revents))
    }

    private func exchange(_ revents: Int32) {
        let isAccepted = state.withLock { $0.isAccepted }
        if revents & POLLOUT != 0 { note(mosquitto_loop_write(handle, 1)) }
        // A TLS handshake proceeds by reading.
        if revents & ~POLLOUT != 0 || revents != 0 && !isAccepted {
            note(mosquitto_loop_read(handle, 1))
        }
        // libmosquitto does not notice the end of a connection during a handshake.
        if revents & Self.hangUp != 0, !isAccepted, state.withLock({ $0.notices.isEmpty }) {
            note(.failed(closedEarly))
        }
    }

    /// Makes the kernel acknowledge the next segment of the broker at once; it forgets that soon.
    ///
    /// A broker with Nagle's algorithm, Mosquitto's default, keeps its last acknowledgements back until the ones
    /// before are confirmed, for which an idle kernel takes 40 ms (RFC 1122, section 4.2.3.2).
    private func acknowledgeAtOnce(_ descriptor: Int32) {
        var isOn: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &isOn, socklen_t(MemoryLayout<Int32>.size)
        )
    }

    /// Queues a message with quality of service 1, and notes the result.
    func publish(_ message: MQTTMessage) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if broker.isVersion5, let type = message.contentType {
            mosquitto_property_add_byte(
                &properties, Int32(MQTT_PROP_PAYLOAD_FORMAT_INDICATOR.rawValue), 1)
            mosquitto_property_add_string(&properties, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), type)
        }
        if broker.isVersion5, let expiry = message.expiry {
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
        }
        var id: Int32 = 0
        let result = message.payload.withUnsafeBytes { bytes in
            mosquitto_publish_v5(
                handle, &id, message.topic, Int32(bytes.count), bytes.baseAddress, 1,
                message.isRetained,
                properties)
        }
        switch result {
        case MOSQ_ERR_SUCCESS.rawValue: note(.published(id: id))
        case MOSQ_ERR_OVERSIZE_PACKET.rawValue, MOSQ_ERR_PAYLOAD_SIZE.rawValue:
            note(.refused("it is larger than the broker takes"))
        default: note(result)
        }
    }

    /// Pings the broker, if it is time.
    func ping() { note(mosquitto_loop_misc(handle)) }

    /// Ends the connection in order; the broker forgets the will.
    func disconnect() {
        mosquitto_disconnect_v5(handle, 0, nil)
        mosquitto_loop_write(handle, 1)
    }

    private func note(_ notice: Notice) {
        state.withLock { state in
            if notice == .opened { state.isOpen = true }
            if case .accepted = notice { state.isAccepted = true }
            state.notices.append(notice)
        }
    }

    /// Notes the failure of a function of libmosquitto.
    private func note(_ result: Int32) {
        do throws(MQTTFailure) { try check(result) } catch { note(.failed(error)) }
    }

    private func check(_ result: Int32) throws(MQTTFailure) {
        let number = errno
        guard result == MOSQ_ERR_SUCCESS.rawValue else {
            throw MQTTFailure(code: result, errno: number, detail: state.withLock { $0.detail })
        }
    }
}

/// Before the connection.
extension MQTTClient {
    private func configure() throws(MQTTFailure) {
        setCallbacks()
        let version = broker.isVersion5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version))
        try check(mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1))
        try check(mosquitto_threaded_set(handle, true))
        if broker.address.isSecure { try secure() }
        if let will { try set(will) }
        let name: (user: String?, password: String?)
        do {
            name = (try security.user?(), try security.password?())
        } catch {
            throw MQTTFailure("\(error)")
        }
        try check(mosquitto_username_pw_set(handle, name.user, name.password))
    }

    private func secure() throws(MQTTFailure) {
        let files = [security.authorityFile, security.certificateFile, security.keyFile]
        for path in files.compactMap(\.self) where access(path, R_OK) != 0 {
            let reason = SystemCallError(operation: "open", path: path, errno: errno).text
            throw MQTTFailure("\(path.quoted(upTo: .max)) cannot be read: \(reason)")
        }
        if !security.trustsOnlyThese {
            try check(mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
        }
        // Without a folder or a file of authorities libmosquitto does not accept a certificate of ours either.
        let folder = security.authorityFile == nil ? "/etc/ssl/certs" : nil
        try check(
            mosquitto_tls_set(
                handle, security.authorityFile, folder, security.certificateFile, security.keyFile,
                // A key with a passphrase is an error, not a question on the terminal.
                { _, _, _, _ in 0 }))
    }

    private func set(_ will: MQTTMessage) throws(MQTTFailure) {
        var properties: OpaquePointer?
        if broker.isVersion5 {
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_WILL_DELAY_INTERVAL.rawValue), willDelay)
        }
        let result = will.payload.withUnsafeBytes { bytes in
            mosquitto_will_set_v5(
                handle, will.topic, Int32(bytes.count), bytes.baseAddress, 1, will.isRetained,
                properties)
        }
        if result != 0 { mosquitto_property_free_all(&properties) }
        try check(result)
    }

    private var willDelay: UInt32 {
        UInt32(clamping: settings.presence?.willDelay.components.seconds ?? 0)
    }

    private func connect() throws(MQTTFailure) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        // The session must outlive the delay of the will, or the broker publishes it at once.
        if broker.isVersion5, willDelay > 0 {
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), willDelay)
        }
        let seconds = Int32(MQTTSettings.keepAlive.components.seconds)
        try check(
            mosquitto_connect_bind_v5(
                handle, broker.address.host, Int32(broker.address.port), seconds, nil, properties))
    }
}

/// What libmosquitto reports.
extension MQTTClient {
    private func setCallbacks() {
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_v5_callback_set(handle) { _, context, reason, _, properties in
            MQTTClient.client(context)?.answered(reason, properties)
        }
        mosquitto_publish_v5_callback_set(handle) { _, context, id, reason, _ in
            MQTTClient.client(context)?.note(.acknowledged(id: id, MQTTAnswer(reason)))
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, context, reason, _ in
            MQTTClient.client(context)?.closed(reason)
        }
        mosquitto_log_callback_set(handle) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            MQTTClient.client(context)?.keepDetail(String(cString: text))
        }
    }

    private static func client(_ pointer: UnsafeMutableRawPointer?) -> MQTTClient? {
        pointer.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
    }

    private func answered(_ reason: Int32, _ properties: OpaquePointer?) {
        guard reason == 0 else {
            return note(.failed(MQTTFailure(refusal: reason, isVersion5: broker.isVersion5)))
        }
        var maximum = UInt16.max
        mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &maximum, false)
        note(.accepted(receiveMaximum: Int(maximum)))
    }

    private func closed(_ reason: Int32) {
        let isAccepted = state.withLock { $0.isAccepted }
        // Reasons of brokers begin at 0x80; those of libmosquitto are below.
        note(.failed(reason >= 0x80 ? MQTTFailure(end: reason) : isAccepted ? .ended : closedEarly))
    }

    private var closedEarly: MQTTFailure {
        let isStranger = broker.address.isSecure && security.certificateFile == nil
        let hint = isStranger ? ", as one does that wants a certificate from us" : ""
        return MQTTFailure("it closed the connection before it answered" + hint, .closedEarly)
    }

    /// Keeps the most telling of libmosquitto's words about an error.
    private func keepDetail(_ text: String) {
        let isBest = text.hasPrefix("Error: ") || text.contains(":SSL routines:")
        // Of "error:0A000086:SSL routines::certificate verify failed" the end says what is wrong.
        let words = text.split(separator: ":").last.map(String.init) ?? text
        state.withLock { state in
            guard state.detail == nil || isBest && !state.hasBestDetail || text.hasPrefix("Error: ")
            else { return }
            state.hasBestDetail = isBest
            state.detail = String(words.trimmingPrefix(" ").replacing(/[ .]+$/, with: ""))
        }
    }
}

/// Reason codes.
///
/// Rule: MQTT 5.0, section 2.4.
private enum Reason {
    /// Topic name invalid, packet too large, payload format invalid: true of the message for ever.
    ///
    /// All others are about the client, its rights or the broker's state, which may change.
    static let aboutMessage: Set<Int32> = [0x90, 0x95, 0x99]
    static let noMatchingSubscribers: Int32 = 0x10
    static let sessionTakenOver: Int32 = 0x8E
    static let unsupportedVersion: Int32 = 0x84

    /// A reason in words: `not authorized (0x87)`.
    static func words(_ reason: Int32, of text: UnsafePointer<CChar>? = nil) -> String {
        let digits = String(reason, radix: 16, uppercase: true)
        let words = sentence(text ?? mosquitto_reason_string(reason)).lowercased()
        return "\(words) (0x\(digits.count < 2 ? "0" : "")\(digits))"
    }

    /// A text of libmosquitto without its full stop and its first words, which say nothing.
    static func sentence(_ text: UnsafePointer<CChar>?) -> String {
        var words = text.map { String(cString: $0) } ?? "unknown error"
        if words.hasSuffix(".") { words.removeLast() }
        for prefix in ["Connection Refused: ", "Connection error: "] where words.hasPrefix(prefix) {
            words.removeFirst(prefix.count)
        }
        return words
    }
}

extension MQTTAnswer {
    /// What a reason code says in an acknowledgement.
    init(_ reason: Int32) {
        switch reason {
        case Reason.noMatchingSubscribers: self = .unsubscribed
        case ..<0x80: self = .accepted
        case _ where Reason.aboutMessage.contains(reason): self = .refused(Reason.words(reason))
        default: self = .notNow(Reason.words(reason))
        }
    }
}

extension MQTTFailure {
    /// The broker ended the connection, and did not say why.
    static let ended = MQTTFailure("it ended the connection")

    /// The broker ended the connection with a reason code.
    fileprivate init(end reason: Int32) {
        text = "\(Self.ended.text): \(Reason.words(reason))"
        kind = reason == Reason.sessionTakenOver ? .takeover : .other
        if Reason.aboutMessage.contains(reason) { kind = .message }
    }

    /// The broker refused the connection.
    fileprivate init(refusal reason: Int32, isVersion5: Bool) {
        // Brokers of version 3 answer in their own numbers even to version 5.
        let isOld = !isVersion5 || reason < 0x80
        let words = Reason.words(reason, of: isOld ? mosquitto_connack_string(reason) : nil)
        text = "it refuses the connection: \(words)"
        kind = reason == (isOld ? 1 : Reason.unsupportedVersion) ? .version : .other
    }

    /// A function of libmosquitto failed; `detail` is what the library logged.
    fileprivate init(code: Int32, errno: Int32, detail: String?) {
        let words: String
        switch (code, errno) {
        case (MOSQ_ERR_CONN_LOST.rawValue, _), (MOSQ_ERR_ERRNO.rawValue, EPIPE):
            words = Self.ended.text
        case (MOSQ_ERR_ERRNO.rawValue, EPROTO):
            words = "it broke off TLS, as one does that wants a certificate from us"
        case (MOSQ_ERR_ERRNO.rawValue, _):
            words = SystemCallError(operation: "connect", errno: errno).text
        case (MOSQ_ERR_EAI.rawValue, _): words = String(cString: gai_strerror(errno))
        default: words = Reason.sentence(mosquitto_strerror(code))
        }
        text = detail.map { "\(words) (\(Escaping.line.escaped($0)))" } ?? words
    }
}
