import CMosquitto
import Glibc
import WireText

/// One connection to a broker, from its first byte to its last; for one thread only.
///
/// A connection that broke is never taken up again: libmosquitto would send by itself what was on
/// its way, and the journal sends it, too.
final class MQTTClient {
    /// What came of what was sent.
    enum Notice: Equatable {
        /// The broker took the connection.
        case connected(receiveMaximum: Int)
        /// The broker refused it.
        case refused(reason: Int32)
        /// The broker acknowledged a message.
        case acknowledged(id: Int32, reason: Int32)
        /// The broker ended the connection: why, where it said so.
        case closed(reason: Int32)
    }

    /// A message.
    struct Message: Sendable {
        /// Where it goes.
        var topic: String
        /// What it is.
        var payload: [UInt8]
        /// The payload's media type.
        var contentType: String?
        /// Whether the broker keeps it for those who subscribe later.
        var isRetained = false
        /// How many seconds the broker keeps it for subscribers that are away.
        var expiry: UInt32?
    }

    /// How often something is sent at least, in seconds.
    static let keepAlive: Int32 = 60

    private let client: OpaquePointer
    private let isVersion5: Bool
    private var notices: [Notice] = []
    /// The last thing libmosquitto said of what went wrong.
    private var detail: String?
    private var hasBestDetail = false

    /// Initialises libmosquitto, once for the whole process.
    private static let library: Void = { _ = mosquitto_lib_init() }()

    /// Makes a client that is not connected yet.
    ///
    /// - Parameters:
    ///   - address: The broker it is for.
    ///   - settings: Who it is.
    ///   - security: What proves who is who.
    ///   - isVersion5: Whether it speaks version 5.
    ///   - isReturning: Whether it goes on with the session of the connection before; else that is
    ///     discarded (clean start). The session holds nothing but the will that waits: to discard it is
    ///     to have the broker publish that (MQTT 5.0, section 3.1.4).
    ///   - will: What the broker tells when the connection breaks.
    /// - Throws: ``MQTTFailure``.
    init(
        for address: MQTTAddress, _ settings: MQTTSettings, security: MQTTSecurity,
        isVersion5: Bool, isReturning: Bool, will: Message?
    ) throws(MQTTFailure) {
        Self.library
        self.isVersion5 = isVersion5
        let hasWaitingWill = isVersion5 && isReturning && will != nil
        guard let client = mosquitto_new(settings.clientID, !hasWaitingWill, nil) else {
            throw MQTTFailure("there is no memory for a client")
        }
        self.client = client
        mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        setCallbacks()
        let version = isVersion5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version))
        try check(mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1))
        try secure(address, security)
        try authenticate(security)
        if let will { try set(will, delay: settings.presence?.willDelay ?? .zero) }
    }

    deinit { mosquitto_destroy(client) }

    private func authenticate(_ security: MQTTSecurity) throws(MQTTFailure) {
        guard security.user != nil || security.password != nil else { return }
        let user: String?
        let password: String?
        do {
            user = try security.user?()
            password = try security.password?()
        } catch {
            throw MQTTFailure("\(error)")
        }
        try check(mosquitto_username_pw_set(client, user, password))
    }

    private func secure(
        _ address: MQTTAddress, _ security: MQTTSecurity
    ) throws(MQTTFailure) {
        guard address.isSecure else { return }
        let files = [security.authorityFile, security.certificateFile, security.keyFile]
        for path in files.compactMap(\.self) where access(path, R_OK) != 0 {
            let reason = SystemCallError(operation: "open", path: path, errno: errno).text
            throw MQTTFailure("\(path.quoted(upTo: .max)) cannot be read: \(reason)")
        }
        if !security.trustsOnlyThese {
            try check(mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
        }
        // Without a folder or a file of authorities libmosquitto takes no certificate of ours either.
        let folder = security.authorityFile == nil ? "/etc/ssl/certs" : nil
        try check(
            mosquitto_tls_set(
                client, security.authorityFile, folder, security.certificateFile,
                security.keyFile,
                // A key with a passphrase is an error, not a question on the terminal.
                { _, _, _, _ in 0 }))
    }

    private func set(_ will: Message, delay: Duration) throws(MQTTFailure) {
        var properties: OpaquePointer?
        if isVersion5 {
            let seconds = UInt32(clamping: delay.components.seconds)
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_WILL_DELAY_INTERVAL.rawValue), seconds)
        }
        let result = will.payload.withUnsafeBytes { bytes in
            mosquitto_will_set_v5(
                client, will.topic, Int32(bytes.count), bytes.baseAddress, 1, will.isRetained,
                properties)
        }
        if result != 0 { mosquitto_property_free_all(&properties) }
        try check(result)
    }

    /// Connects; the broker's answer comes as a notice.
    ///
    /// - Parameters:
    ///   - address: The broker.
    ///   - sessionSeconds: How long the broker keeps the session, and with it the will.
    /// - Throws: ``MQTTFailure``.
    func connect(to address: MQTTAddress, sessionSeconds: UInt32) throws(MQTTFailure) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if isVersion5, sessionSeconds > 0 {
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), sessionSeconds)
        }
        try check(
            mosquitto_connect_bind_v5(
                client, address.host, Int32(address.port), Self.keepAlive, nil, properties))
    }

    /// Has the kernel acknowledge at once what the broker sends next.
    ///
    /// A broker with Nagle's algorithm, as Mosquitto is by default, keeps its last acknowledgements back until
    /// those before them have arrived, which the kernel tells 40 ms late where nothing more is sent (RFC 1122,
    /// section 4.2.3.2). The setting lasts no longer than that.
    func expectAcknowledgements() {
        guard let descriptor else { return }
        var isOn: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &isOn, socklen_t(MemoryLayout<Int32>.size)
        )
    }

    /// The socket; nil where there is none any more.
    var descriptor: Int32? {
        let descriptor = mosquitto_socket(client)
        return descriptor < 0 ? nil : descriptor
    }

    /// Whether there is something to write.
    var wantsToWrite: Bool { mosquitto_want_write(client) }

    /// Reads what has come.
    func read() throws(MQTTFailure) { try check(mosquitto_loop_read(client, 1)) }

    /// Writes what there is.
    func write() throws(MQTTFailure) { try check(mosquitto_loop_write(client, 1)) }

    /// Keeps the connection alive where it is time to.
    func tend() throws(MQTTFailure) { try check(mosquitto_loop_misc(client)) }

    /// Whether something came of what was sent.
    var hasNotices: Bool { !notices.isEmpty }

    /// Gives what came of what was sent, and forgets it.
    func takeNotices() -> [Notice] {
        defer { notices.removeAll(keepingCapacity: true) }
        return notices
    }

    /// Sends a message with quality of service 1.
    ///
    /// - Returns: Its number; nil where the broker said that it takes none as large.
    func publish(_ message: Message) throws(MQTTFailure) -> Int32? {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if isVersion5 {
            if let type = message.contentType {
                mosquitto_property_add_byte(
                    &properties, Int32(MQTT_PROP_PAYLOAD_FORMAT_INDICATOR.rawValue), 1)
                mosquitto_property_add_string(
                    &properties, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), type)
            }
            if let expiry = message.expiry {
                mosquitto_property_add_int32(
                    &properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
            }
        }
        var id: Int32 = 0
        let result = message.payload.withUnsafeBytes { bytes in
            mosquitto_publish_v5(
                client, &id, message.topic, Int32(bytes.count), bytes.baseAddress, 1,
                message.isRetained, properties)
        }
        if result == Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue) { return nil }
        try check(result)
        return id
    }

    /// Ends the connection in order; the broker forgets the will.
    func disconnect() { mosquitto_disconnect_v5(client, 0, nil) }

    private func check(_ result: Int32) throws(MQTTFailure) {
        let number = errno
        guard result == Int32(MOSQ_ERR_SUCCESS.rawValue) else {
            throw MQTTFailure(code: result, errno: number, detail: detail)
        }
    }
}

extension MQTTClient {
    private static func client(_ pointer: UnsafeMutableRawPointer?) -> MQTTClient? {
        pointer.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
    }

    private func setCallbacks() {
        mosquitto_connect_v5_callback_set(client) { _, context, reason, _, properties in
            MQTTClient.client(context)?.connected(reason, properties)
        }
        mosquitto_publish_v5_callback_set(client) { _, context, id, reason, _ in
            MQTTClient.client(context)?.notices.append(.acknowledged(id: id, reason: reason))
        }
        mosquitto_disconnect_v5_callback_set(client) { _, context, reason, _ in
            MQTTClient.client(context)?.notices.append(.closed(reason: reason))
        }
        mosquitto_log_callback_set(client) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            MQTTClient.client(context)?.note(String(cString: text))
        }
    }

    private func connected(_ reason: Int32, _ properties: OpaquePointer?) {
        guard reason == 0 else {
            notices.append(.refused(reason: reason))
            return
        }
        var maximum = UInt16.max
        mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &maximum, false)
        notices.append(.connected(receiveMaximum: Int(maximum)))
    }

    /// Keeps of what libmosquitto says of an error what says most.
    private func note(_ text: String) {
        let isOwn = text.hasPrefix("Error: ")
        let isOfTLS = text.contains(":SSL routines:")
        guard detail == nil || isOwn || isOfTLS && !hasBestDetail else { return }
        hasBestDetail = isOwn || isOfTLS
        // Of "error:0A000086:SSL routines::certificate verify failed" the end says what it is.
        detail = text.split(separator: ":").last.map { $0.trimmingSpaces } ?? text
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " || text.last == "." { text.removeLast() }
        return String(text)
    }
}
