import CArchive

/// Packs files as the world does, in memory.
enum Packing {
    enum Filter { case none, gzip, zstd }

    /// A zip with the given entries, deflated unless `isStored`.
    static func zip(_ entries: [(name: String, bytes: [UInt8])], isStored: Bool = false, password: String? = nil)
        -> [UInt8]
    {
        write { archive in
            archive_write_set_format_zip(archive)
            if isStored { archive_write_zip_set_compression_store(archive) }
            if let password {
                archive_write_set_passphrase(archive, password)
                archive_write_set_options(archive, "zip:encryption=traditional")
            }
            return entries
        }
    }

    /// One file packed with a filter.
    static func pack(_ bytes: [UInt8], _ filter: Filter) -> [UInt8] {
        write { archive in
            archive_write_set_format_raw(archive)
            switch filter {
            case .none: break
            case .gzip: archive_write_add_filter_gzip(archive)
            case .zstd: archive_write_add_filter_zstd(archive)
            }
            return [("data", bytes)]
        }
    }

    private static func write(_ prepare: (OpaquePointer) -> [(name: String, bytes: [UInt8])]) -> [UInt8] {
        guard let archive = archive_write_new() else { return [] }
        defer { archive_write_free(archive) }
        let entries = prepare(archive)
        let room = entries.reduce(1 << 16) { $0 + $1.bytes.count + 1024 }
        var out = [UInt8](repeating: 0, count: room)
        var used = 0
        out.withUnsafeMutableBytes { buffer in
            archive_write_set_bytes_per_block(archive, 0)
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
