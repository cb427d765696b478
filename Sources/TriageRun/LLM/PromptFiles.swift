import Platform
import ShippedPrompts
import TriageConfig
import TriageCore
package import TriageLLM

/// Loads prompts from the binary and from the user's folder.
package enum PromptFiles {
    package static var shipped: [PromptFile] {
        var files: [PromptFile] = []
        while true {
            let file = shipped_prompt_file(files.count)
            guard let name = file.name else { return files }
            files.append(
                PromptFile(
                    path: String(cString: name),
                    bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count))))
        }
    }

    /// The prompts of a run.
    ///
    /// - Parameter folder: the user's prompts, laid out by the names that `prompts show` prints; nil: only the shipped
    ///   ones.
    /// - Throws: ``TriageErrors`` with every fault of every file.
    package static func library(folder: String?) throws -> PromptLibrary {
        guard let folder else { return try PromptLibrary(shipped: shipped) }
        let own = try files(in: folder)
        guard !own.isEmpty else {
            throw TriageError(
                "prompt.none", "the folder contains no prompt", at: folder,
                remedy: "add files such as category/category-v2.md; `triage prompts show` prints the shipped ones",
                exit: .badConfiguration)
        }
        return try PromptLibrary(shipped: shipped, overrides: own)
    }

    /// Reads `QUESTION/*.md` in the folder and ignores other files.
    private static func files(in folder: String) throws -> [PromptFile] {
        var found: [PromptFile] = []
        for question in PromptQuestion.allCases.map(\.rawValue) {
            let path = "\(folder)/\(question)"
            guard let directory = opendir(path) else { continue }
            defer { closedir(directory) }
            var names: [String] = []
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name.hasSuffix(".md"), !name.hasPrefix(".") { names.append(name) }
            }
            for name in names.sorted() {
                let file = "\(path)/\(name)"
                found.append(PromptFile(path: file, bytes: try ConfigurationFile.read(file)))
            }
        }
        return found
    }
}
