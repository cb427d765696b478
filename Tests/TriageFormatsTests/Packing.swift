import CArchive

/// Packs files as the world does, in memory.
enum Packing {
    enum Filter: CaseIterable { case none, gzip, zstd, bzip2, xz, lz4 }

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
            add(filter, to: archive)
            return [("data", bytes)]
        }
    }

    private static func add(_ filter: Filter, to archive: OpaquePointer) {
        switch filter {
        case .none: break
        case .gzip: archive_write_add_filter_gzip(archive)
        case .zstd: archive_write_add_filter_zstd(archive)
        case .bzip2: archive_write_add_filter_bzip2(archive)
        case .xz: archive_write_add_filter_xz(archive)
        case .lz4: archive_write_add_filter_lz4(archive)
        }
    }

    /// A tar, packed or not.
    static func tar(_ entries: [(name: String, bytes: [UInt8])], _ filter: Filter = .none) -> [UInt8] {
        write { archive in
            archive_write_set_format_pax_restricted(archive)
            add(filter, to: archive)
            return entries
        }
    }

    /// A 7z.
    static func sevenZip(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        write { archive in
            archive_write_set_format_7zip(archive)
            return entries
        }
    }

    /// A rar of the fourth format, its files stored.
    static func rar(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        func block(_ type: UInt8, _ flags: Int, _ body: [UInt8]) -> [UInt8] {
            let rest = [type] + little(flags, 2) + little(7 + body.count, 2) + body
            return little(Int(crc(rest) & 0xFFFF), 2) + rest
        }
        var out: [UInt8] = [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x00]
        out += block(0x73, 0, [UInt8](repeating: 0, count: 6))
        for (name, bytes) in entries {
            let head =
                little(bytes.count, 4) + little(bytes.count, 4) + [3] + little(Int(crc(bytes)), 4)
                + little(0x5A21_0000, 4)
                + [20, 0x30] + little(name.utf8.count, 2) + little(0o100644, 4) + Array(name.utf8)
            out += block(0x74, 0x8000, head) + bytes
        }
        return out + block(0x7B, 0x4000, [])
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
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
                // Names that say what an entry is, where it is no file.
                if name.hasPrefix("symlink:") {
                    archive_entry_set_filetype(entry, 0o120000)
                    archive_entry_set_symlink(entry, "/etc/passwd")
                } else if name.hasPrefix("hardlink:") {
                    archive_entry_set_hardlink(entry, "good.jsonl")
                } else if name.hasPrefix("fifo:") {
                    archive_entry_set_filetype(entry, 0o010000)
                }
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
