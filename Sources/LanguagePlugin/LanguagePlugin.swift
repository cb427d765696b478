import Foundation
import PackagePlugin

/// Turns every YAML file of a target's folder into one Swift file, so that a new language needs no edit of the manifest.
@main struct LanguagePlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.sorted()
            .map { folder.appending(path: $0) }
        let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedLanguages.swift")
        return [
            .buildCommand(
                displayName: "Compile \(files.count) language files",
                executable: try context.tool(named: "LanguageCompiler").url,
                arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
