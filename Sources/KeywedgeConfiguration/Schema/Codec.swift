import WireText
import Yams

/// How one kind of value stands in a configuration file: said once, for reading, for writing, for
/// what goes ahead of a preset, and for the JSON Schema.
struct Codec<Value>: Sendable {
    /// Reads a value; reports and gives nil where it is something else.
    var read: @Sendable (ConfigurationReader) -> Value?
    /// The value as YAML; nil where it is left out.
    var write: @Sendable (Value) -> Node?
    /// What the value can be, as JSON Schema.
    var schema: @Sendable (inout SchemaWriter) -> JSONObject
    /// What holds where a preset says the first and the file the second.
    var merge: @Sendable (YAMLTree, YAMLTree) -> YAMLTree = { _, file in file }

    /// The same in the file, for a value of another type.
    ///
    /// - Parameters:
    ///   - make: Makes the other value; nil where there is none, which nobody is told.
    ///   - part: Gives this value; nil where the other one has none, and is left out.
    /// - Returns: The codec for the other type.
    func map<Other>(
        _ make: @escaping @Sendable (Value) -> Other?,
        _ part: @escaping @Sendable (Other) -> Value?
    ) -> Codec<Other> {
        Codec<Other>(
            read: { [read] in read($0).flatMap(make) },
            write: { [write] in part($0).flatMap(write) }, schema: schema, merge: merge)
    }

    /// Another codec, made when it is first needed: one that holds itself, or a large one that most
    /// files have no use for.
    ///
    /// - Parameter codec: Gives it.
    /// - Returns: The codec.
    static func later(_ codec: @escaping @Sendable () -> Self) -> Self {
        Self(
            read: { codec().read($0) }, write: { codec().write($0) },
            schema: { codec().schema(&$0) }, merge: { codec().merge($0, $1) })
    }

    /// The same, with some values left out of what is written.
    ///
    /// - Parameter isOmitted: Whether a value is left out.
    /// - Returns: The codec.
    func omitting(_ isOmitted: @escaping @Sendable (Value) -> Bool) -> Self {
        var codec = self
        codec.write = { [write] in isOmitted($0) ? nil : write($0) }
        return codec
    }

    /// The same, described once in the JSON Schema.
    ///
    /// - Parameter name: Its name there.
    /// - Returns: The codec.
    func named(_ name: String) -> Self {
        var codec = self
        codec.schema = { [schema] in $0.reference(to: name, schema) }
        return codec
    }

    /// The same, with all of it replaced by what stands beside a preset.
    var whole: Self {
        var codec = self
        codec.merge = { _, file in file }
        codec.schema = { [schema] in $0.describing(besidePreset: false, schema) }
        return codec
    }
}
