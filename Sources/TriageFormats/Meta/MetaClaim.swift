/// Finds the conversations of Meta's exports by the ends of their paths.
enum MetaClaim {
    /// Folders that Meta makes at the top of an export.
    static let ownFolders: Set<String> = [
        "your_instagram_activity", "your_facebook_activity", "your_activity_across_facebook", "messages", "comments",
        "personal_information", "profile_information", "account_information", "comments_and_reactions",
        // Whoever gives the folder of messages alone.
        "inbox", "message_requests", "archived_threads", "filtered_threads", "e2ee_cutover",
    ]

    private struct Thread {
        var path: String
        var meta: MetaPath
        var part: Int
    }

    /// The conversations of one platform among paths, which may be of both; nil when there are none.
    static func threads(in paths: [String], of platform: MetaPlatform, format: String) -> Claim? {
        // Folders given together may have files of one path; each is named once.
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
        // Given beside: the chats that are not in the export itself.
        let encrypted = platform == .messenger ? met.filter(EncryptedEntry.isPath).sorted() : []
        // The first look is for what only all conversations together tell: the owner, sentences of Meta's.
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

    /// The conversations of one platform that are web pages; where JSON of the same is there, that is read instead.
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
        // They say which zone the pages were made for.
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
            // What lies beside conversations in JSON belongs to those.
            roots: roots.subtracting(writtenRoots).sorted())
    }

    private static func root(of path: String) -> String {
        Claim.roots(of: [path]) { ownFolders.contains(String($0)) }.first ?? ""
    }

    /// The folders that exports of a platform lie in; what nothing tells apart counts as Messenger's.
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
