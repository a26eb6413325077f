package import Events
package import KeyLayouts
import Keystrokes
package import Sinks
import WireText

/// A keyboard that types scans on.
package struct KeyboardConfiguration: Equatable, Sendable {
    /// Which events are typed.
    package var filter = EventFilter()
    /// What is typed for a scan.
    package var template: KeyboardTemplate
    /// What is typed for a rejection; nil for nothing.
    package var rejection: KeyboardTemplate?
    /// The layout of whoever reads the keys.
    package var layout = CompiledLayout.us
    /// Whether control characters of a scan are typed.
    package var allowsControls = false
    /// The time between two changes of a key.
    package var pace = Duration.milliseconds(2)

    /// Makes a configuration with its defaults.
    ///
    /// - Parameter template: What is typed for a scan.
    package init(template: KeyboardTemplate) { self.template = template }

    /// What keys are typed for an event.
    package var typing: KeyboardTyping {
        KeyboardTyping(
            template: template, rejection: rejection, allowsControls: allowsControls,
            table: layout.table)
    }
}

extension KeyboardConfiguration {
    static let section = Section("keyboard", KeyboardConfiguration(template: .text)) {
        EventFilter.settings.map { $0.inside(\.filter) }
        Setting(
            "template", \.template, .keyboardTemplate,
            """
            What is typed for a scan: words, {enter}, {tab}, and members of the event's data such \
            as {text}, {gtin}, {product.id} or {gtin|text}.
            """, needed: "what is typed for a scan such as \"{text}{enter}\"")
        Setting(
            "rejection", \.rejection, .keyboardTemplate,
            "What is typed for a rejection; without it, nothing.")
        Setting("layout", \.layout, .layout, "The layout of the program that reads the keys.")
        Setting(
            "controls", \.allowsControls, .flag,
            "Whether control characters of a scan are typed; else such a scan is not.")
        Setting(
            "pace", \.pace, .duration(in: .zero ... .milliseconds(100)),
            "The time between two changes of a key.")
    } check: { keyboard, section in
        if let missing = keyboard.typing.missingCharacter {
            section.at(\.template).report(
                expected: "characters that layout \(keyboard.layout.layout) can type",
                found: "\(quoted: String(missing))")
        }
    }
}

extension Codec<KeyboardTemplate> {
    fileprivate static let keyboardTemplate = parsed(
        "what is typed such as \"{text}{enter}\"", explained: "what is typed",
        .text(minimum: 1),
        read: { text throws(KeyboardTemplateError) in try KeyboardTemplate(text) },
        write: \.description)
}
