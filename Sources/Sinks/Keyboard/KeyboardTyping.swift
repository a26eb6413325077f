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
        let template: KeyboardTemplate
        switch event.type {
        case .scan: template = self.template
        case .scanRejected:
            guard let rejection else { return .nothing }
            template = rejection
        default: return .nothing
        }
        do throws(KeyboardTemplate.MissingValue) {
            return keys(for: try template.pieces(for: event.data))
        } catch {
            return .untypable("it has no \(error.name)")
        }
    }

    private func keys(for pieces: [KeyboardTemplate.Piece]) -> Outcome {
        var keys: [KeyEvent] = []
        for piece in pieces {
            switch piece {
            case .key(let key): keys += Self.events(of: key)
            case .text(let text, let isScanned):
                if isScanned, !allowsControls,
                    text.unicodeScalars.contains(where: Escaping.isUnsafe)
                {
                    return .untypable("it has a control character, which is not allowed here")
                }
                do throws(TypingError) {
                    keys += try typist.events(for: text, endingWith: nil)
                } catch {
                    return .untypable("it has a character that the layout has no keys for")
                }
            }
        }
        return .keys(keys)
    }

    private static func events(of key: KeyCode) -> [KeyEvent] {
        [.key(key, 1, at: 0), .report(at: 0), .key(key, 0, at: 0), .report(at: 0)]
    }
}
