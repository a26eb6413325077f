import WireText

extension HTTPCatalogConfiguration {
    /// Reads a preset, with what stands beside its name in the place of what it says.
    ///
    /// A mistake that only shows in the preset is reported at its name.
    ///
    /// - Parameters:
    ///   - name: The preset's name.
    ///   - source: The mapping the name stands in; the name itself where it stands alone.
    /// - Returns: The catalog; nil where anything is wrong, which is reported.
    static func preset(
        _ name: ConfigurationReader, in source: ConfigurationReader
    ) -> HTTPCatalogConfiguration? {
        guard let text = name.text("the name of a preset") else { return nil }
        guard let preset = Presets.text(text),
            let tree = YAMLComposer.compose(preset, ReadingContext(file: text, folder: ""))
        else {
            name.report(expected: suggestion(for: text))
            return nil
        }
        let codec = section.codec
        var settings = tree.moved(line: name.tree.line, column: name.tree.column)
        if case .mapping = source.tree.content {
            settings = codec.merge(settings, source.tree.without("preset"))
        }
        return codec.read(
            ConfigurationReader(tree: settings, path: source.path, context: source.context))
    }

    private static func suggestion(for name: String) -> String {
        let near = NearestName.nearest(to: name, in: Presets.names, within: max(2, name.count / 3))
        let meant = near.map { " (did you mean \($0)?)" } ?? ""
        return "one of the presets \(Words.either(Presets.names))\(meant)"
    }

    /// What a preset with settings beside it can be.
    static func presetSchema(_ writer: inout SchemaWriter) -> JSONObject {
        writer.reference(to: "preset") { writer in
            writer.describing(besidePreset: true) { writer in
                section.definition(
                    &writer,
                    beside: (
                        "preset",
                        [
                            "enum": .array(Presets.names.map(JSONValue.string)),
                            "description": "A service that keywedge knows, by its name.",
                        ]
                    ))
            }
        }
    }
}
