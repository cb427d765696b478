import Platform
internal import TriageCore

/// Replaces files completely or not at all.
enum AtomicReplacement {
    /// Writes to a temporary file and renames it; keeps the old file's mode, or makes a new file readable by its owner
    /// only.
    ///
    /// - Throws: ``TriageError`` `output.symlink` or `output.cannot-create` (exit 73), `output.io` (exit 74).
    static func replace(_ path: String, with bytes: [UInt8]) throws(TriageError) {
        var info = stat()
        var mode: mode_t = 0o600
        if lstat(path, &info) == 0 {
            switch info.st_mode & S_IFMT {
            case S_IFREG: mode = info.st_mode & 0o777
            case S_IFLNK:
                throw TriageError(
                    "output.symlink", "the file is a symbolic link; triage does not write through links", at: path,
                    remedy: "name the file it points to", exit: .cannotCreate)
            default:
                throw TriageError(
                    "output.cannot-create", "this is not a regular file", at: path,
                    remedy: "give the path of a regular file",
                    exit: .cannotCreate)
            }
        }
        do {
            let file = try OutputFile(path: path)
            do {
                try file.writer.write(bytes)
                // Not at creation, because the umask would reduce the mode.
                fchmod(file.writer.descriptor, mode)
                try file.commit()
            } catch {
                file.discard()
                throw error
            }
        } catch let error as TriageError {
            throw error
        } catch {
            throw TriageError("output.io", "cannot write: \(error)", at: path, exit: .ioError)
        }
    }

    /// Creates a file that only its owner may read; returns false if the name is taken.
    static func create(_ path: String, with bytes: [UInt8]) throws(TriageError) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor < 0 {
            if errno == EEXIST { return false }
            throw cannotCreate(path, errno)
        }
        defer { close(descriptor) }
        do {
            let writer = CheckedWriter(descriptor: descriptor, name: path)
            try writer.write(bytes)
            try writer.synchronize()
        } catch {
            unlink(path)
            throw error as? TriageError
                ?? TriageError("output.io", "cannot write: \(error)", at: path, exit: .ioError)
        }
        return true
    }

    private static func cannotCreate(_ path: String, _ code: Int32) -> TriageError {
        TriageError(
            "output.cannot-create", "cannot create the file: \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: "check that the folder exists and is writable"),
            exit: SystemFault.exit(code, otherwise: .cannotCreate))
    }
}
