/// Finds the conversations of Meta exports by the ends of their paths.
enum MetaClaim {
    /// Folders that Meta creates at the top level of an export.
    static let ownFolders: Set<String> = [
        "your_instagram_activity", "your_facebook_activity", "your_activity_across_facebook", "messages", "comments",
        "personal_information", "profile_information", "account_information", "comments_and_reactions",
        // For users who pass only the folder of messages.
        "inbox", "message_requests", "archived_threads", "filtered_threads", "e2ee_cutover",
    ]

    private struct Thread {
        var path: String
        var meta: MetaPath
        var part: Int
    }

    /// The conversations of one platform among paths that may belong to both; nil when there are none.
    static func threads(in paths: [String], of platform: MetaPlatform, format: String) -> Claim? {
        // Several folders may contain files with the same path; list each path once.
        var met = Set<String>()
        let known = paths.compactMap { path in met.insert(path).inserted ? path : nil }.compactMap { path in
            MetaPath(path).map { (path: path, meta: $0) }
        }
        guard known.contains(where: { if case .thread = $0.meta.kind { true } else { false } }) else { return nil }
        let own = rootsOf(platform, known.map(\.path), among: paths)
        var threads: [Thread] = []
        var profiles: [String] = []
        var comments: [String] = []
        for (path, meta) in known where own.contains(root(of: path)) {
            switch meta.kind {
            case .thread(let part): threads.append(Thread(path: path, meta: meta, part: part))
            case .profile: profiles.append(path)
            case .ownComments: comments.append(path)
            case .allThreads: break
            }
        }
        threads.sort { ($0.meta.section, $0.meta.folder, $0.part) < ($1.meta.section, $1.meta.folder, $1.part) }
        guard let sample = threads.first else { return nil }
        // Encrypted chats, which are a separate download.
        let encrypted = platform == .messenger ? met.filter(EncryptedEntry.isPath).sorted() : []
        // The first pass collects what only all conversations together show: the owner and Meta's own sentences.
        let count = Set(threads.map(\.meta.thread)).count
        return Claim(
            detection: Detection(
                format: format,
                reason: "\(count) \(count == 1 ? "conversation" : "conversations") such as "
                    + "\(sample.meta.section)/…/message_\(sample.part).json"),
            passes: [
                profiles + threads.map(\.path) + encrypted, threads.map(\.path) + encrypted + comments,
            ],
            roots: Claim.roots(of: threads.map(\.path) + comments + profiles) { ownFolders.contains(String($0)) })
    }

    /// The conversations of one platform as HTML pages; if the same ones exist in JSON, the JSON is read instead.
    static func pages(in paths: [String], of platform: MetaPlatform, format: String) -> Claim? {
        var met = Set<String>()
        let unique = paths.filter { met.insert($0).inserted }
        var written = Set<String>()
        var writtenRoots = Set<String>()
        for path in unique {
            guard let meta = MetaPath(path), case .thread = meta.kind else { continue }
            written.insert(root(of: path) + meta.thread)
            writtenRoots.insert(root(of: path))
        }
        let known = unique.compactMap { path in MetaPath(page: path).map { (path: path, meta: $0) } }
        let own = rootsOf(platform, known.map(\.path), among: paths)
        var pages: [Thread] = []
        for (path, meta) in known where own.contains(root(of: path)) {
            guard case .thread(let part) = meta.kind, !written.contains(root(of: path) + meta.thread) else { continue }
            pages.append(Thread(path: path, meta: meta, part: part))
        }
        pages.sort { ($0.meta.section, $0.meta.folder, $0.part) < ($1.meta.section, $1.meta.folder, $1.part) }
        guard let sample = pages.first else { return nil }
        let roots = Set(pages.map { root(of: $0.path) })
        // These pages show the time zone that the pages were made for.
        let entrances = unique.filter { path in
            roots.contains { path == $0 + "start_here.html" || path == $0 + "index.html" }
        }
        let count = Set(pages.map(\.meta.thread)).count
        return Claim(
            detection: Detection(
                format: format,
                reason: "\(count) conversations such as \(sample.meta.section)/…/message_\(sample.part).html",
                missing: [MetaHTMLPage.missing]),
            passes: [entrances, pages.map(\.path)],
            // Files beside JSON conversations belong to those.
            roots: roots.subtracting(writtenRoots).sorted())
    }

    private static func root(of path: String) -> String {
        Claim.roots(of: [path]) { ownFolders.contains(String($0)) }.first ?? ""
    }

    /// The folders that contain a platform's exports; without any evidence, a folder counts as Messenger's.
    private static func rootsOf(
        _ platform: MetaPlatform, _ known: [String], among paths: [String]
    ) -> Set<String> {
        var byRoot: [String: [String]] = [:]
        for path in known { byRoot[root(of: path), default: []].append(path) }
        let own = byRoot.filter { root, members in
            let all = byRoot.count == 1 ? paths : members
            var found = MetaPlatform(paths: all, container: root)
            if found == nil, members.contains(where: { $0.hasSuffix("personal_information.json") }) {
                found = .instagram
            }
            return (found ?? .messenger) == platform
        }
        return Set(own.keys)
    }
}
