import TriageConfig
import TriageCore

/// Models on disk.
enum ModelFile {
    /// - Throws: ``TriageError`` when it cannot be read or is no model.
    static func read(_ path: String) throws -> StatisticalModel {
        let bytes = try ConfigurationFile.read(path, limit: 1 << 28)
        return try bytes.withUnsafeBytes { try StatisticalModel(decoding: $0, at: path) }
    }
}
