/// Paths of the tables in an export that is a flat list of CSV files.
enum TablePath {
    /// `one/Messages_2.csv` is `messages`; nil for other files.
    static func base(_ path: String) -> String? {
        let name = (path.split(separator: "/").last ?? "").lowercased()
        guard name.hasSuffix(".csv") else { return nil }
        var base = Substring(name.dropLast(4))
        // Parts of one table, and copies that a browser made.
        let digits = base.reversed().prefix { $0.isASCII && $0.isNumber }.count
        if digits > 0, digits <= 3, base.dropLast(digits).hasSuffix("_") { base = base.dropLast(digits + 1) }
        if base.hasSuffix(")"), let start = base.lastIndex(of: "("), start > base.startIndex {
            base = base[..<start]
            while base.last == " " { base = base.dropLast() }
        }
        return String(base)
    }

    /// With the `/` at its end; empty for the top.
    static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// What belongs to exports in these folders: all of a folder, at the top only the tables.
    static func roots(of folders: [String], among paths: [String]) -> [String] {
        folders.flatMap { folder in
            folder.isEmpty ? paths.filter { !$0.contains("/") && base($0) != nil } : [folder]
        }
    }
}
