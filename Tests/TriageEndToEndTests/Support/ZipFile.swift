import CArchive

/// Packs files into a zip, deflated, with whatever names are wanted.
enum ZipFile {
    static func make(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        guard let archive = archive_write_new() else { return [] }
        defer { archive_write_free(archive) }
        archive_write_set_format_zip(archive)
        archive_write_set_bytes_per_block(archive, 0)
        var out = [UInt8](repeating: 0, count: entries.reduce(1 << 16) { $0 + $1.bytes.count + 1024 })
        var used = 0
        out.withUnsafeMutableBytes { buffer in
            archive_write_open_memory(archive, buffer.baseAddress, buffer.count, &used)
            for (name, bytes) in entries {
                let entry = archive_entry_new()
                archive_entry_set_pathname(entry, name)
                archive_entry_set_size(entry, Int64(bytes.count))
                archive_entry_set_filetype(entry, 0o100000)
                archive_entry_set_perm(entry, 0o600)
                archive_write_header(archive, entry)
                bytes.withUnsafeBytes { _ = archive_write_data(archive, $0.baseAddress, $0.count) }
                archive_entry_free(entry)
            }
            archive_write_close(archive)
        }
        return Array(out[..<used])
    }
}
