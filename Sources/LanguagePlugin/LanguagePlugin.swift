import Foundation
import PackagePlugin

/// Turns the YAML files of a target's folder, and of the folders in it, into one Swift file: a new language needs no edit of
/// the manifest.
@main struct LanguagePlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL
        // `sv.yaml` or `es/danger.yaml`: a file for each language, or a folder of files.
        let names = try visible(in: folder).flatMap { name in
            name.hasSuffix(".yaml") ? [name] : try visible(in: folder.appending(path: name)).map { "\(name)/\($0)" }
        }
        let files = names.filter { $0.hasSuffix(".yaml") }.sorted().map { folder.appending(path: $0) }
        let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedLanguages.swift")
        return [
            .buildCommand(
                displayName: "Compile \(files.count) language files",
                executable: try context.tool(named: "LanguageCompiler").url,
                arguments: [output.path, folder.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }

    /// Names in a folder; none in what is no folder.
    private func visible(in folder: URL) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            return []
        }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    }
}
