import ArgumentParser
import TriageConfig
import TriageCore

/// Prints the JSON Schema of records.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of annotated records, or of messages.",
        discussion: """
            EXAMPLES
              triage schema > triage.schema.json
              triage schema input
              pip install check-jsonschema
              check-jsonschema --schemafile triage.schema.json record.json

            Draft 2020-12. The schema closes the "triage" member; the rest of a record
            is free.
            """)

    enum Side: String, ExpressibleByArgument, CaseIterable { case output, input }

    @Argument(help: "output: annotated records; input: messages.")
    var side: Side = .output

    func run() throws {
        try CheckedWriter.standardOutput.write((side == .output ? RecordSchema.output : RecordSchema.input) + "\n")
    }
}
