import Foundation
import TestFolders
import WireText

@testable import KeywedgeConfiguration

/// Validates with Python's `jsonschema`, an implementation that is independent of keywedge.
struct SchemaValidator {
    private static let python = "/usr/bin/env"

    static let isInstalled = (try? run(["-c", "import jsonschema"])) != nil

    /// Validates texts against the configuration's schema, as an editor does.
    ///
    /// - Parameter texts: YAML documents.
    /// - Returns: For each text `accepted`, or the JSON path and the message of the first error.
    /// - Throws: An error if the schema or the YAML is invalid.
    static func judge(_ texts: [String]) throws -> [String] {
        let folder = try TemporaryFolder()
        let lines = try texts.map { JSONWriter.text(of: try json($0)) + "\n" }
        let schema = JSONWriter.indentedText(of: Configuration.schema)
        let output = try run([
            "-c",
            """
            import json, sys
            from jsonschema import Draft202012Validator as Validator
            schema = json.load(open(sys.argv[1]))
            Validator.check_schema(schema)
            validator = Validator(schema)
            for line in open(sys.argv[2]):
                error = next(validator.iter_errors(json.loads(line)), None)
                print("accepted" if error is None else error.json_path + ": " + repr(error.message))
            """, folder.write(schema, to: "schema.json"),
            folder.write(lines.joined(), to: "texts.jsonl"),
        ])
        return output.split(separator: "\n").map(String.init)
    }

    /// Converts YAML to JSON; scalars have the types that YAML 1.2 assigns.
    private static func json(_ text: String) throws -> JSONValue {
        let context = ReadingContext(file: "text", folder: "")
        let tree = YAMLComposer.compose(text, context)
        try context.finish()
        return tree?.json ?? .null
    }

    private struct Failure: Error {
        let status: Int32
    }

    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["python3"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
