import TriageCore

/// An input, or a file in an input folder, that is not read.
struct LeftOut {
    /// The path as people see it.
    var path: String
    /// What the file is, or why it cannot be read; never message text.
    var reason: String
    /// The error to throw if there is nothing else to read.
    var error: TriageError

    static func unreadable(_ path: String, _ reason: String) -> LeftOut {
        LeftOut(
            path: path, reason: "it cannot be read: \(reason)",
            error: TriageError(
                "input.unreadable", "cannot read the input: \(reason)", at: path,
                remedy: "check the path and its permissions", exit: .noInput))
    }

    static func unfinished(_ path: String) -> LeftOut {
        LeftOut(
            path: path, reason: "an unfinished download",
            error: TriageError(
                "input.unfinished", "this is an unfinished download", at: path,
                remedy: "wait until it is complete, or download it again", exit: .noInput))
    }

    static func empty(_ path: String) -> LeftOut {
        LeftOut(
            path: path, reason: "it is empty",
            error: TriageError(
                "input.empty", "the archive is empty: its download failed", at: path, remedy: "download it again",
                exit: .noInput))
    }

    static func encrypted(_ path: String) -> LeftOut {
        LeftOut(
            path: path, reason: "it is encrypted; unpack it and name the folder",
            error: TriageError(
                "archive.encrypted", "the archive is encrypted", at: path, remedy: "unpack it and name the folder",
                exit: .noInput))
    }

    static func office(_ path: String, _ what: OfficeFile) -> LeftOut {
        LeftOut(
            path: path, reason: what.sight,
            error: TriageError(
                what.isTable ? "input.spreadsheet" : "input.document", "this is \(what.words)", at: path,
                remedy: what.isTable
                    ? "save it as CSV, then name the CSV" : "name the platform's own export",
                exit: .badData))
    }
}

/// Recognizes office documents, which are zips of other files.
enum OfficeFile {
    case spreadsheet(String)
    case document(String)

    /// - Parameter paths: the files in the zip.
    init?(_ paths: [String], name: String) {
        let all = Set(paths)
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if all.contains("xl/workbook.xml") || all.contains("xl/workbook.bin") {
            self = .spreadsheet("an Excel spreadsheet")
        } else if all.contains("word/document.xml") {
            self = .document("a Word document")
        } else if all.contains("ppt/presentation.xml") {
            self = .document("a PowerPoint presentation")
        } else if all.contains("mimetype"), all.contains("content.xml") {
            self =
                ending.hasPrefix("od") && ending != "ods"
                ? .document("an OpenDocument file") : .spreadsheet("a LibreOffice spreadsheet")
        } else if paths.contains(where: { $0.hasSuffix(".iwa") }) || all.contains("Index.zip") {
            self =
                ending == "pages" || ending == "key"
                ? .document("an iWork file") : .spreadsheet("a Numbers spreadsheet")
        } else {
            return nil
        }
    }

    var words: String {
        switch self {
        case .spreadsheet(let words), .document(let words): words
        }
    }

    var isTable: Bool { if case .spreadsheet = self { true } else { false } }

    var sight: String { isTable ? "\(words); save it as CSV, then name the CSV" : words }
}
