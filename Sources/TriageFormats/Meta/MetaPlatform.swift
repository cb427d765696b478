/// Whose export it is, as far as paths tell.
enum MetaPlatform: String {
    case instagram
    case messenger

    init?(paths: [String], container: String) {
        func has(_ part: String) -> Bool { paths.contains { $0.contains(part) } }
        let names = container.split(separator: "/").map(String.init)
        if has("your_instagram_activity/") || names.contains(where: { $0.hasPrefix("instagram-") }) {
            self = .instagram
        } else if has("your_facebook_activity/") || has("your_activity_across_facebook/")
            || names.contains(where: { $0.hasPrefix("facebook-") })
        {
            self = .messenger
        } else if has("messages/archived_threads/") || has("messages/filtered_threads/")
            || has("messages/e2ee_cutover/")
        {
            self = .messenger
        } else {
            return nil
        }
    }
}
