/// The files of a folder or archive that a format wants, in passes: each pass reads its files in the given order from
/// a folder and in the order of the archive from an archive.
public struct Claim: Sendable {
    public var detection: Detection
    public var passes: [[String]]
    /// Where the export lies, as beginnings of paths.
    ///
    /// They end in `/`, or are empty for everything. What lies there and is in no pass (media, settings, other lists)
    /// belongs to the export and is passed over without a word.
    public var roots: [String]

    public init(detection: Detection, passes: [[String]], roots: [String]) {
        self.detection = detection
        self.passes = passes
        self.roots = roots
    }

    /// Whether a path belongs to the export.
    func covers(_ path: String) -> Bool { roots.contains { path.hasPrefix($0) } }

    /// The paths that belong to the export though nothing else of their folder or archive does: a part of the export
    /// that has media alone lies in the same folders.
    func coveredApart(in paths: [String]) -> [String] {
        var folders = Set<String>()
        for path in passes.joined() {
            for root in roots where path.hasPrefix(root) {
                let rest = path.dropFirst(root.count)
                if let slash = rest.firstIndex(of: "/") { folders.insert(root + rest[...slash]) }
            }
        }
        return paths.filter { path in folders.contains { path.hasPrefix($0) } }
    }

    /// The folders above the first component of each path that `isInside` says is the export's own, such as `messages`.
    ///
    /// `one/two/messages/inbox/x.json` gives `one/two/`.
    static func roots(of paths: [String], isInside: (Substring) -> Bool) -> [String] {
        var roots = Set<String>()
        for path in paths {
            var root = ""
            for part in path.split(separator: "/").dropLast() {
                if isInside(part) { break }
                root += part + "/"
            }
            roots.insert(root)
        }
        return roots.sorted()
    }
}
