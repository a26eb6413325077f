import CMosquitto
import Events
import Glibc
import ScannerInput
import Synchronization
import WireText

/// A single connection to a broker, made with libmosquitto.
///
/// libmosquitto resolves the host name and connects in one call, which may block for minutes. ``open(waking:)``
/// therefore makes this call on a separate thread. To abandon the attempt, release the client; the handle is freed
/// when the call returns. An abandoned client sends nothing, because in threaded mode ``publish(_:)`` only queues
/// messages.
///
/// A client is not reused after its connection breaks, because libmosquitto would resend messages unasked.
final class MQTTClient: Sendable {
    typealias Notice = MQTTSession.Notice

    private struct State {
        var notices: [Notice] = []
        var isOpen = false
        var isAccepted = false
        /// The most informative error line that libmosquitto has logged.
        var detail: (text: String, rank: Int)?
    }

    /// `POLLRDHUP`, which poll(2) reports after the broker has closed its half of the connection.
    private static let hangUp: Int32 = 0x2000
    /// Initialises libmosquitto once, on first access.
    private static let library: Void = { _ = mosquitto_lib_init() }()

    private let broker: MQTTBrokers.Choice
    private let settings: MQTTSettings
    private let security: MQTTSecurity
    private let will: MQTTMessage?
    private let state = Mutex(State())
    /// libmosquitto's handle, which is never used by two threads at the same time.
    nonisolated(unsafe) private let handle: OpaquePointer

    /// Creates a client that is not connected yet; nil if memory is exhausted.
    ///
    /// With MQTT 5, a client that has a will resumes its session when it reconnects. A new session would make the
    /// broker publish the will (MQTT 5.0, section 3.1.4). The session contains nothing except the will.
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

    /// Connects on a separate thread, and wakes `wakeup` when the attempt is over.
    func open(waking wakeup: Wakeup) {
        do {
            try WaitingThread.start { [self] in
                do {
                    try configure()
                    try connect()
                    note(.opened)
                } catch {
                    note(.failed(error as? MQTTFailure ?? MQTTFailure(text: "\(error)")))
                }
                wakeup.wake()
            }
        } catch {
            note(.failed(MQTTFailure(text: "\(error)")))
        }
    }

    func takeNotices() -> [Notice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    /// Waits for the socket until `moment` or a wakeup, and then reads and writes if possible.
    func exchange(until moment: ContinuousClock.Instant, or wakeup: Wakeup) {
        let time = ContinuousClock.now.duration(to: moment)
        guard state.withLock({ $0.isOpen }) else { return wakeup.wait(atMost: time) }
        let descriptor = mosquitto_socket(handle)
        guard descriptor >= 0 else {
            return note(.failed(MQTTFailure(text: "the connection broke")))
        }
        // Mosquitto waits for a TCP acknowledgement before it acknowledges further messages. The kernel may delay TCP
        // acknowledgements by 40 ms (RFC 1122, section 4.2.3.2), unless this option is set again each time.
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &isOn, 4)
        let events = POLLIN | Self.hangUp | (mosquitto_want_write(handle) ? POLLOUT : 0)
        var waiting = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waiting, 2, time.pollTimeout) > 0 else { return }
        if waiting[1].revents != 0 { wakeup.wait() }
        let revents = Int32(waiting[0].revents)
        let isAccepted = state.withLock { $0.isAccepted }
        if revents & POLLOUT != 0 { note(mosquitto_loop_write(handle, 1)) }
        // During a TLS handshake, libmosquitto makes progress only when it reads.
        if revents & ~POLLOUT != 0 || revents != 0 && !isAccepted {
            note(mosquitto_loop_read(handle, 1))
        }
        // libmosquitto does not notice the end of a connection during a handshake.
        if revents & Self.hangUp != 0, !isAccepted, state.withLock({ $0.notices.isEmpty }) {
            note(.failed(closedEarly))
        }
    }

    /// Queues a message with quality of service 1; the next ``takeNotices()`` reports whether that succeeded.
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
                message.isRetained, properties)
        }
        switch result {
        case MOSQ_ERR_SUCCESS.rawValue: note(.published(id: id))
        case MOSQ_ERR_OVERSIZE_PACKET.rawValue, MOSQ_ERR_PAYLOAD_SIZE.rawValue:
            note(.refused("it is larger than the broker takes"))
        default: note(result)
        }
    }

    /// Pings the broker if a ping is due.
    func ping() { note(mosquitto_loop_misc(handle)) }

    /// Disconnects cleanly, so that the broker discards the will.
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

    private func note(_ result: Int32) {
        do throws(MQTTFailure) { try check(result) } catch { note(.failed(error)) }
    }

    private func check(_ result: Int32) throws(MQTTFailure) {
        let number = errno
        guard result == MOSQ_ERR_SUCCESS.rawValue else {
            throw .library(result, errno: number, detail: state.withLock { $0.detail?.text })
        }
    }
}

extension MQTTClient {
    private func configure() throws {
        setCallbacks()
        let version = broker.isVersion5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version))
        try check(mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1))
        try check(mosquitto_threaded_set(handle, true))
        if broker.address.isSecure { try secure() }
        if let will { try set(will) }
        try check(mosquitto_username_pw_set(handle, try security.user?(), try security.password?()))
    }

    private func secure() throws(MQTTFailure) {
        let files = [security.authorityFile, security.certificateFile, security.keyFile]
        for path in files.compactMap(\.self) where access(path, R_OK) != 0 {
            let reason = SystemCallError(operation: "open", path: path, errno: errno).text
            throw MQTTFailure(text: "\(path.quoted(upTo: .max)) cannot be read: \(reason)")
        }
        if !security.trustsOnlyThese {
            try check(mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
        }
        // libmosquitto accepts a client certificate only together with a file or folder of certificate authorities.
        let folder = security.authorityFile == nil ? "/etc/ssl/certs" : nil
        try check(
            mosquitto_tls_set(
                handle, security.authorityFile, folder, security.certificateFile, security.keyFile,
                // Reject a key with a passphrase, instead of asking for the passphrase on the terminal.
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
        // The broker publishes the will when the session ends, so keep the session until the will's delay is over.
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

extension MQTTClient {
    private func setCallbacks() {
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_v5_callback_set(handle) { _, context, reason, _, properties in
            MQTTClient.client(context)?.answered(reason, properties)
        }
        mosquitto_publish_v5_callback_set(handle) { _, context, id, reason, _ in
            MQTTClient.client(context)?.note(.acknowledged(id: id, MQTTReason(reason)))
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

    /// Keeps the most informative error line: libmosquitto's own errors rank first, TLS errors second.
    private func keepDetail(_ line: String) {
        let rank = line.hasPrefix("Error: ") ? 2 : line.contains(":SSL routines:") ? 1 : 0
        // In "error:0A000086:SSL routines::certificate verify failed", only the end says what is wrong.
        let words = line.split(separator: ":").last.map(String.init) ?? line
        let text = String(words.trimmingPrefix(" ").replacing(/[ .]+$/, with: ""))
        state.withLock { state in
            if rank > state.detail?.rank ?? -1 { state.detail = (text, rank) }
        }
    }

    private func answered(_ reason: Int32, _ properties: OpaquePointer?) {
        guard reason == 0 else {
            return note(.failed(.refused(reason, isVersion5: broker.isVersion5)))
        }
        var maximum = UInt16.max
        mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &maximum, false)
        var retains: UInt8 = 1
        mosquitto_property_read_byte(
            properties, Int32(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &retains, false)
        note(.accepted(MQTTLimits(receiveMaximum: max(1, Int(maximum)), retains: retains != 0)))
    }

    private func closed(_ reason: Int32) {
        let isAccepted = state.withLock { $0.isAccepted }
        // Brokers' reason codes begin at 0x80; lower codes come from libmosquitto.
        note(.failed(reason >= 0x80 ? .ended(reason) : isAccepted ? .ended : closedEarly))
    }

    private var closedEarly: MQTTFailure {
        let isStranger = broker.address.isSecure && security.certificateFile == nil
        let hint = isStranger ? ", as a broker does that requires a client certificate" : ""
        return MQTTFailure(
            text: "it closed the connection before it answered" + hint, kind: .closedEarly)
    }
}
