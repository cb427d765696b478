import ArgumentParser
import TriageCore
import TriageFormats
import TriageRun

/// Lists the export formats that can be read, and detects the format of a file.
struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats",
        abstract: "Lists the supported formats, or identifies a file.",
        discussion: """
            EXAMPLES
              triage formats
              triage formats detect instagram-export.zip
              triage run --from csv table.txt

            Input can be a file, a folder, or an archive: zip, 7z, rar, tar (also with
            gzip, bzip2, xz or zstd). A single file can be compressed this way too. Save
            spreadsheets (xlsx, ods, numbers) as CSV first.
            """,
        subcommands: [ListFormats.self, DetectFormat.self], defaultSubcommand: ListFormats.self)
}

/// Lists the formats.
struct ListFormats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the supported formats.",
        discussion: """
            EXAMPLES
              triage formats list
            """)

    func run() throws {
        let formats = ExportFormats.standard
        let width = (formats.map(\.name.count).max() ?? 0) + 2
        var out = ""
        for format in formats {
            out += format.name + String(repeating: " ", count: width - format.name.count) + format.summary + "\n"
        }
        try CheckedWriter.standardOutput.write(out)
    }
}

/// Detects the format of inputs and says why.
struct DetectFormat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect", abstract: "Identifies files, folders or archives, and says why and what is missing.",
        discussion: """
            EXAMPLES
              triage formats detect export.zip
              triage formats detect ~/Downloads/instagram-mara-2026-10-01
              zcat dms.gz | triage formats detect -

            Archives in a folder are opened. The exit code is 65 if a file is not a known
            export, is encrypted, or cannot be read.
            """)

    @Argument(help: ArgumentHelp("Files, folders, archives; - or nothing: stdin.", valueName: "path"))
    var paths: [String] = []

    func run() throws {
        var options = InputReader.Options()
        if !paths.isEmpty { options.paths = paths }
        let findings = try InputReader(options: options).inspect()
        var out = ""
        for finding in findings {
            let path = Terminal.harmless(finding.path)
            guard let detection = finding.detection else {
                out += "\(path): not a known export: \(Terminal.harmless(finding.sight))\n"
                continue
            }
            let files = finding.files == 1 ? "" : ", \(finding.files) files"
            let kind = detection.hasMessages ? detection.format + files : "\(detection.format), contains no messages"
            out += "\(path): \(kind)\n    because: \(Terminal.harmless(detection.reason))\n"
            for missing in detection.missing { out += "    missing: \(Terminal.harmless(missing))\n" }
        }
        try CheckedWriter.standardOutput.write(out)
        if findings.isEmpty || findings.contains(where: { $0.detection == nil }) {
            throw RunEnded(status: .badData)
        }
    }
}
