package import Events
package import KeyLayouts
import Keystrokes
package import Sinks
import WireText

/// The settings of a virtual keyboard that types scans; ``section`` explains each of them.
package struct KeyboardConfiguration: SinkKind {
    package static let kind = "keyboard"
    package var filter = EventFilter()
    package var template: KeyboardTemplate
    package var rejection: KeyboardTemplate?
    package var layout = CompiledLayout.us
    package var allowsControls = false
    package var pace = Duration.milliseconds(2)

    package var typing: KeyboardTyping {
        KeyboardTyping(
            template: template, rejection: rejection, allowsControls: allowsControls,
            table: layout.table)
    }

    package var needs: [SinkNeed] { [.virtualKeyboard] }
    package var connected: String { "/dev/uinput exists" }

    package func immediateSink(_ reporter: SinkStatusReporter) throws -> (any EventSink)? {
        try KeyboardSink(typing, pace: pace, filter: filter, reporter: reporter)
    }

    static let section = Section(kind, Self(template: .text)) {
        EventFilter.settings.map { $0.inside(\.filter) }
        Setting(
            "template", \.template, .keyboardTemplate,
            "What is typed for a scan: words, {enter}, {tab}, and members of the event's data such "
                + "as {text}, {gtin}, {product.id} or {gtin|text}.",
            needed: "what is typed for a scan such as \"{text}{enter}\"")
        Setting(
            "rejection", \.rejection, .keyboardTemplate,
            "What is typed for a rejection; without it, nothing.")
        Setting("layout", \.layout, .layout, "The layout of the program that reads the keys.")
        Setting(
            "controls", \.allowsControls, .flag,
            "Whether to type control characters; if not, scans with any are not typed.")
        Setting(
            "pace", \.pace, .duration(in: .zero ... .milliseconds(100)),
            "The time between two changes of a key.")
    } check: { keyboard, section in
        if let missing = keyboard.typing.missingCharacter {
            section.at("template").report(
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
