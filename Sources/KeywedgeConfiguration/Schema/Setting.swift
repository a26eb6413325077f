import WireText
import Yams

/// One setting of a section: its key, its place in the struct, and how it stands in the file.
///
/// The default is the one of the section's blank struct.
struct Setting<Root>: Sendable {
    /// The keys, of which a file has one.
    let keys: [SettingKey]
    /// Where the value is in the struct.
    let place: any PartialKeyPath<Root> & Sendable
    /// How often it must stand in a file.
    let presence: Presence
    /// Whether there is no struct without it.
    var isNeeded: Bool { if case .needed = presence { true } else { false } }
    /// Reads it into a struct; it gives whether what must be there is.
    let read: @Sendable (inout Root, SectionValues) -> Bool
    /// Its key and value in a struct; nil where it is left out.
    let write: @Sendable (Root) -> (key: String, value: Node)?
}

extension Setting {
    /// Declares a setting that has a default.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - place: Where the value is in the struct.
    ///   - codec: How the value stands in a file.
    ///   - about: What the setting is for, in a sentence.
    ///   - needed: What it is, in words, where there is no default.
    init<Value>(
        _ key: String, _ place: any WritableKeyPath<Root, Value> & Sendable, _ codec: Codec<Value>,
        _ about: String, needed: String? = nil
    ) {
        self.init(
            place, oneOf: [Alternative(key, codec, about)],
            needed.map(Presence.needed) ?? .optional)
    }

    /// Declares a setting without a default.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - place: Where the value is in the struct.
    ///   - codec: How the value stands in a file.
    ///   - about: What the setting is for, in a sentence.
    ///   - needed: What it is, in words, where it must be there.
    init<Value>(
        _ key: String, _ place: any WritableKeyPath<Root, Value?> & Sendable, _ codec: Codec<Value>,
        _ about: String, needed: String? = nil
    ) {
        let perhaps: Codec<Value?> = codec.map({ .some(.some($0)) }, { $0 })
        self.init(key, place, perhaps, about, needed: needed)
    }

    /// Declares a setting that has a key for each of its kinds.
    ///
    /// - Parameters:
    ///   - place: Where the value is in the struct.
    ///   - alternatives: The kinds. Of those in a file the first is read; what is missing is missed
    ///     under the last key.
    ///   - presence: How many of them must be in a file.
    ///   - isReported: Whether it is reported where there are more or less; else the section's check
    ///     does so.
    init<Value>(
        _ place: any WritableKeyPath<Root, Value> & Sendable,
        oneOf alternatives: [Alternative<Value>],
        _ presence: Presence, isReported: Bool = true
    ) {
        keys = alternatives.map { alternative in
            SettingKey(
                name: alternative.key, about: alternative.about, schema: alternative.codec.schema,
                merge: alternative.codec.merge)
        }
        self.place = place
        self.presence = presence
        let names = alternatives.map(\.key)
        read = { root, section in
            if isReported, !section.holds(presence, names) { return false }
            for alternative in alternatives {
                guard let reader = section[alternative.key] else { continue }
                guard let value = alternative.codec.read(reader) else {
                    return presence == .optional
                }
                root[keyPath: place] = value
                break
            }
            return true
        }
        write = { root in
            for alternative in alternatives {
                if let node = alternative.codec.write(root[keyPath: place]) {
                    return (alternative.key, node)
                }
            }
            return nil
        }
    }
}

extension Setting {
    /// The same setting, of a struct that this one's struct is a part of.
    ///
    /// - Parameter part: Where the part is.
    /// - Returns: The setting.
    func inside<Whole>(
        _ part: any WritableKeyPath<Whole, Root> & Sendable
    ) -> Setting<Whole> {
        Setting<Whole>(
            keys: keys, place: part, presence: presence,
            read: { [read] whole, section in read(&whole[keyPath: part], section) },
            write: { [write] whole in write(whole[keyPath: part]) })
    }
}

/// One of the kinds of a setting that has a key for each.
struct Alternative<Value>: Sendable {
    let key: String
    /// How the value stands under it; it writes nothing where the value is of another kind.
    let codec: Codec<Value>
    /// What the setting is for, in a sentence.
    let about: String

    /// Declares a kind.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - codec: How the value stands under it.
    ///   - about: What it is for, in a sentence.
    init(_ key: String, _ codec: Codec<Value>, _ about: String) {
        self.key = key
        self.codec = codec
        self.about = about
    }
}

/// How often a setting must stand in a file.
enum Presence: Equatable, Sendable {
    /// As one likes.
    case optional
    /// It must be there: what it is, in words.
    case needed(String)
    /// Of its keys, there must not be two.
    case oneAtMost
    /// Of its keys, there must be exactly one.
    case one
    /// Of its keys, there must be exactly one where another key is, and none where it is not.
    case beside(String)
}

/// A key, and what stands under it.
struct SettingKey: Sendable {
    /// The key.
    let name: String
    /// What the setting is for, in a sentence.
    let about: String
    /// What the value can be, as JSON Schema.
    let schema: @Sendable (inout SchemaWriter) -> JSONObject
    /// What holds where a preset says one thing and the file another.
    let merge: @Sendable (YAMLTree, YAMLTree) -> YAMLTree
}
