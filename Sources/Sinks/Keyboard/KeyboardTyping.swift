package import Events
package import Keystrokes
import WireText

/// Which keys are typed for an event, on one keyboard layout.
package struct KeyboardTyping: Sendable {
    package enum Outcome: Equatable, Sendable {
        /// Keys, each change with its report.
        case keys([KeyEvent])
        /// Nothing, as configured.
        case nothing
        /// Nothing, because it cannot be typed: why, without the text that was scanned.
        case untypable(String)
    }

    private struct Untypable: Error { let reason: String }

    private let template: KeyboardTemplate
    private let rejection: KeyboardTemplate?
    private let allowsControls: Bool
    private let typist: Typist

    /// `template` is typed for a scan and `rejection`, if there is one, for a rejection, on the layout of
    /// the program that reads the keys.
    package init(
        template: KeyboardTemplate, rejection: KeyboardTemplate?, allowsControls: Bool,
        table: KeyTable
    ) {
        self.template = template
        self.rejection = rejection
        self.allowsControls = allowsControls
        // Caps Lock belongs to the person at the keyboard.
        typist = Typist(table: table, terminators: .none, usesCapsLock: false)
    }

    /// The first character that the templates need and the layout has no keys for.
    package var missingCharacter: Unicode.Scalar? {
        (template.characters + (rejection?.characters ?? [])).first {
            typist.keystrokes(for: $0) == nil
        }
    }

    package func outcome(for event: Event) -> Outcome {
        let template: KeyboardTemplate? =
            switch event.type {
            case .scan: self.template
            case .scanRejected: rejection
            default: nil
            }
        guard let template else { return .nothing }
        do throws(Untypable) {
            var keys: [KeyEvent] = []
            for part in template.parts { keys += try self.keys(for: part, of: event.data) }
            return .keys(keys)
        } catch {
            return .untypable(error.reason)
        }
    }

    private func keys(
        for part: KeyboardTemplate.Part, of data: JSONObject
    ) throws(Untypable) -> [KeyEvent] {
        let text: String
        switch part {
        case .key(let key):
            return [.key(key, 1, at: 0), .report(at: 0), .key(key, 0, at: 0), .report(at: 0)]
        case .text(let words): text = words
        case .value(let value):
            guard let scanned = value.text(in: data) else {
                throw Untypable(reason: "it has no \(value.name)")
            }
            guard allowsControls || !scanned.unicodeScalars.contains(where: Escaping.isUnsafe)
            else {
                throw Untypable(reason: "it has a control character, which is not allowed here")
            }
            text = scanned
        }
        do throws(TypingError) {
            return try typist.events(for: text, endingWith: nil)
        } catch {
            throw Untypable(reason: "it has a character that the layout has no keys for")
        }
    }
}
