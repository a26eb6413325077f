extension MQTTSession {
    /// Handles a notice from the connection; ignores a notice that does not fit the current state.
    mutating func receive(_ notice: Notice, at now: Instant) {
        switch (notice, state) {
        case (.opened, .opening): state = .open(until: now + Self.answerLimit)
        case (.accepted(var limits), .open):
            brokers.connected()
            limits.retains = limits.retains && settings.isRetaining
            let tells = brokers.choice.isVersion5
            state = .connected(MQTTLink(at: now, limits, tellsSubscribers: tells))
        case (.failed(let failure), .opening), (.failed(let failure), .open):
            fail(failure, nil, at: now)
        case (.failed(let failure), .connected(let link)): fail(failure, link, at: now)
        case (_, .connected(var link)):
            hear(notice, &link, at: now)
            state = .connected(link)
        default: break
        }
    }

    private mutating func hear(_ notice: Notice, _ link: inout MQTTLink, at now: Instant) {
        switch notice {
        case .published(let id):
            link.lastSent = now
            link.answerDue = link.answerDue ?? now + Self.answerLimit
            if !link.sent(as: id) { delivery?.sent(as: id) }
        case .refused(let reason):
            if let message = link.dropAnnouncement() {
                warn(ofRefusal: message, reason)
            } else {
                settle { $0.refused(reason) }
            }
        case .acknowledged(let id, let reason):
            if let message = link.answered(id) {
                if reason.isRefusal { warn(ofRefusal: message, reason.words) }
                if !reason.isRefusal, message.payload.isEmpty { memory.removed(message.topic) }
                keepMemory()
            } else {
                answered(id, reason, tellsSubscribers: link.tellsSubscribers)
            }
            link.answerDue = isBusy(link) ? now + Self.answerLimit : nil
        case .opened, .accepted, .failed: break
        }
    }

    private mutating func answered(_ id: Int32, _ reason: MQTTReason, tellsSubscribers: Bool) {
        let isHeard = tellsSubscribers && !reason.isRefusal ? !reason.isWithoutSubscriber : nil
        if isHeard == false, let event = delivery?.event(sentAs: id), isForSubscriber(event) {
            delivery?.lacksSubscriber(id, of: event.message.topic)
        } else {
            settle { $0.answered(id, reason.answer, isHeard: isHeard) }
        }
    }

    mutating func fail(_ failure: MQTTFailure, _ link: MQTTLink?, at now: Instant) {
        let wasBusy = isBusy(link)
        if failure.kind == .message, link?.announced.isEmpty == true {
            settle { $0.blamed(failure.text) }
        }
        delivery?.disconnected()
        let lived = link.map { $0.since.duration(to: now) }
        let step = brokers.failed(failure, lived: lived, wasBusy: wasBusy, chance: chance())
        if let trouble = step.trouble { outbox.append(.report(.trouble(trouble))) }
        outbox.append(.drop)
        state = .resting(until: now + step.wait)
    }

    private func isBusy(_ link: MQTTLink?) -> Bool {
        link?.announced.isEmpty == false || delivery?.isInFlight == true
    }

    private mutating func settle(_ change: (inout MQTTDelivery) -> [MQTTDelivery.Settled]) {
        guard var delivery, case let settled = change(&delivery) else { return }
        self.delivery = delivery
        if !settled.isEmpty { brokers.progressed() }
        for (index, verdict, isHeard) in settled {
            // Only settled events count: after a broken connection, the sink sends the others again.
            if let isHeard {
                memory.heard(delivery.events[index], bySomebody: isHeard, sink: sink)
                    .map { warn($0) }
            }
            outbox.append(.settle(index, verdict))
        }
    }

    private mutating func warn(ofRefusal message: MQTTMessage, _ reason: String) {
        warn("it refuses a message about the register, on \(message.topic): \(reason)")
    }

    private mutating func warn(_ text: String) {
        outbox.append(.report(.warning("\(brokers.address): \(text)")))
    }
}
