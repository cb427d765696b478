#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

import TriageConfig
import TriageCore

/// A folder of real files that goes away with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/triage-config-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TriageError("test.folder", "cannot make a folder") }
        path = template.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    deinit {
        for name in listing { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, mode)
        try CheckedWriter(descriptor: descriptor, name: file).write(text)
        close(descriptor)
        chmod(file, mode)
        return file
    }

    func link(_ name: String, to target: String) -> String {
        symlink(target, "\(path)/\(name)")
        return "\(path)/\(name)"
    }

    func place(_ name: String) -> String {
        return "\(path)/\(name)"
    }

    func text(_ name: String) throws -> String {
        String(decoding: try ConfigurationFile.read("\(path)/\(name)"), as: UTF8.self)
    }

    func mode(_ name: String) -> mode_t {
        var info = stat()
        return lstat("\(path)/\(name)", &info) == 0 ? info.st_mode & 0o777 : 0
    }

    /// Names of what lies in the folder.
    var listing: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var found: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { found.append(name) }
        }
        return found.sorted()
    }
}
