import Testing
import WireText

@testable import KeywedgeConfiguration

/// The settings of a lamp, declared in the same way as the settings of keywedge.
private struct Lamp: Equatable {
    enum Colour: String, CaseIterable { case warm, cold }
    enum Power: Equatable {
        case mains
        case battery(file: String)
    }

    var name = ""
    var colour = Colour.warm
    var fadesIn = Duration.milliseconds(200)
    var steps = 10
    var isDimmed = false
    var label: String?
    var power = Power.mains
    var codes: [String] = []

    static let section = Section("lamp", Lamp()) {
        Setting("name", \.name, .nonEmptyText, "What it is called.", needed: "a name")
        Setting("colour", \.colour, .choice, "How it shines.")
        Setting(
            "fade_in", \.fadesIn, .duration(in: .zero ... .seconds(5)), "How fast it lights up.")
        Setting("steps", \.steps, .number(in: 1...100), "How many steps it has.")
        Setting("dimmed", \.isDimmed, .flag, "Whether it is dimmed.")
        Setting("label", \.label, .text("a text"), "The text on it.")
        Setting(oneOf: .oneAtMost) {
            Setting(
                "mains", \.power,
                Codec<Bool>.only("true").map({ _ in .mains }, { $0 == .mains }), "The mains.")
            Setting(
                "battery", \.power,
                Codec<String>.path.map(
                    Lamp.Power.battery,
                    { if case .battery(let file) = $0 { file } else { nil } }),
                "A battery: the file with its charge.")
        }
        Setting("codes", \.codes, .oneOrMany("codes", of: .nonEmptyText), "What switches it.")
    } check: { lamp, section in
        guard lamp.isDimmed, lamp.steps == 1 else { return }
        section["steps"]?.report(expected: "more than one step where it is dimmed")
    }
}

@Suite struct SectionTests {
    private func read(_ text: String) -> (lamp: Lamp?, sentences: [String]) {
        let context = ReadingContext(file: "l.yaml", folder: "/etc")
        guard let tree = YAMLComposer.compose(text, context) else { return (nil, ["no YAML"]) }
        let lamp = Lamp.section.codec.read(
            ConfigurationReader(tree: tree, path: "", context: context))
        do throws(ConfigurationError) {
            try context.finish()
        } catch {
            return (lamp, error.problems.map(\.description))
        }
        return (lamp, [])
    }

    @Test func whatIsLeftOutHasTheDefaultOfTheStruct() {
        var lamp = Lamp()
        lamp.name = "door"
        #expect(read("name: door") == (lamp, []))
    }

    @Test func whatIsWrittenIsReadAsTheSame() throws {
        var lamp = Lamp()
        lamp.name = "door"
        lamp.colour = .cold
        lamp.fadesIn = .seconds(1)
        lamp.steps = 3
        lamp.isDimmed = true
        lamp.label = "2"
        lamp.power = .battery(file: "/run/battery")
        lamp.codes = ["1", "b"]
        let text = try #require(Lamp.section.codec.write(lamp)?.document)
        #expect(
            text == """
                name: "door"
                colour: cold
                fade_in: 1s
                steps: 3
                dimmed: true
                label: "2"
                battery: "/run/battery"
                codes: ["1", "b"]

                """)
        #expect(read(text) == (lamp, []))
    }

    @Test(arguments: [
        ("{}", "name: expected a name, found none"),
        (
            "{name: a, color: warm}",
            "color: expected a known key (did you mean colour?), found an unknown key"
        ),
        ("{name: a, colour: red}", "colour: expected warm or cold, found \"red\""),
        ("{name: a, fade_in: 6s}", "fade_in: expected a duration from 0s to 5s, found \"6s\""),
        ("{name: a, steps: 0}", "steps: expected a whole number from 1 to 100, found \"0\""),
        (
            "{name: a, mains: true, battery: b}",
            "battery: expected one of mains and battery, found mains and battery"
        ),
        (
            "{name: a, steps: 1, dimmed: true}",
            "steps: expected more than one step where it is dimmed, found \"1\""
        ),
    ])
    func whatIsWrongIsOneSentence(text: String, sentence: String) {
        #expect(read(text).sentences == ["l.yaml:1: \(sentence)"])
    }

    /// Does not check that the schema is valid: `SchemaTests` do that with a validator.
    @Test func theSchemaHasEverySettingWithItsDefaultAndExplanation() throws {
        let schema = SchemaWriter.document("A lamp", of: Lamp.section.codec)
        #expect(schema["anyOf"] == [["$ref": "#/$defs/lamp"], ["type": "null"]])
        let lamp = try #require(schema["$defs"]?.object?["lamp"]?.object)
        #expect(lamp["required"] == ["name"])
        let settings = try #require(lamp["properties"]?.object)
        let defaults = settings.members.map { ($0.key, $0.value.object?["default"]) }
        let expected: [(String, JSONValue?)] = [
            ("name", nil), ("colour", "warm"), ("fade_in", "200ms"), ("steps", 10),
            ("dimmed", false), ("label", nil), ("mains", nil), ("battery", nil), ("codes", nil),
        ]
        #expect(defaults.map(\.0) == expected.map(\.0))
        #expect(defaults.map(\.1) == expected.map(\.1))
        let battery = settings["battery"]?.object
        #expect(battery?["description"] == "A battery: the file with its charge.")
    }

    @Test func theFileOverridesAPresetKeyByKey() throws {
        let context = ReadingContext(file: "l.yaml", folder: "")
        let preset = try #require(
            YAMLComposer.compose("{name: a, steps: 5, battery: b, codes: [x, y]}", context))
        let file = try #require(
            YAMLComposer.compose("{name: c, mains: true, codes: z}", context))
        let merged = Lamp.section.codec.merge(preset, file)
        let lamp = Lamp.section.codec.read(
            ConfigurationReader(tree: merged, path: "", context: context))
        try context.finish()
        var expected = Lamp()
        expected.name = "c"
        expected.steps = 5
        expected.codes = ["z"]
        #expect(lamp == expected)
    }
}
