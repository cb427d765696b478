// swift-tools-version: 6.2
// The map of the program: libraries by outside world, leaves that never import each other, one thin executable.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

// Tests run against an optimized program (`.ci/test`), which makes them three times as fast; they themselves are not worth
// the minutes that optimizing them takes.
let tests: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// Debian's gmime-3.0.pc carries -D flags that SwiftPM refuses with a warning; that of glib carries the search paths that
// depend on the machine, and no such flags. GMime's functions are declared in Sources/CMailScan/gmime_functions.h.
#if os(Linux)
    let gmimePkgConfig = "glib-2.0"
#else
    let gmimePkgConfig = "gmime-3.0"
#endif

let package = Package(
    name: "triage",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "triage", targets: ["triage"]),
        // Annotates a batch in process.
        .library(name: "Triage", targets: ["TriageRun", "TriageCore"]),
        // Reads exports.
        .library(name: "TriageFormats", targets: ["TriageFormats", "TriageCore"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // C libraries of the system.
        .systemLibrary(
            name: "CVectorscan", pkgConfig: "libhs",
            providers: [.apt(["libvectorscan-dev"]), .brew(["vectorscan"])]),
        .systemLibrary(
            name: "CArchive", pkgConfig: "libarchive",
            providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
        .systemLibrary(
            name: "CLibxml2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(
            name: "CGMime", pkgConfig: gmimePkgConfig,
            providers: [.apt(["libgmime-3.0-dev"]), .brew(["gmime"])]),
        .systemLibrary(
            name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),

        // Headers alone: what costs nothing to call.
        .systemLibrary(name: "CPrefetch"),

        // The C library, under one name on all platforms.
        .target(name: "Platform"),

        // Thin shims: what Swift cannot say, or cannot say fast.
        .target(name: "CProcess"),
        .target(name: "CTextFold"),
        .target(name: "CEncoder"),
        .target(name: "CRecordScan"),
        .target(name: "CPatternScan", dependencies: ["CVectorscan"]),
        .target(name: "CHTMLScan", dependencies: ["CLibxml2"]),
        .target(
            name: "CMailScan", dependencies: ["CGMime"],
            linkerSettings: [.linkedLibrary("gmime-3.0"), .linkedLibrary("gobject-2.0")]),
        .target(name: "CCurlMulti", dependencies: ["CCurl"], linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "ShippedRules",
            exclude: [
                "rules", "languages.yaml", "reasons.yaml", "draft-guard.yaml", "draft-judge.weights", "batch-talk.yaml",
                "changes.yaml", "injection-words.txt",
            ]),
        // Found by the plugin, not listed here: a language is added by its file alone.
        .target(name: "ShippedLanguages", swiftSettings: strict, plugins: ["LanguagePlugin"]),
        .plugin(
            name: "LanguagePlugin", capability: .buildTool(), dependencies: ["LanguageCompiler"],
            path: "Sources/LanguagePlugin"),
        .executableTarget(name: "LanguageCompiler", dependencies: ["CYaml"], swiftSettings: strict),
        .target(name: "ShippedModel", exclude: ["shipped.model"]),
        .target(
            name: "ShippedEncoder",
            exclude: ["encoder.bin", "sentence.heads", "matter.heads", "danger.heads", "thanks.heads", "topic.heads"]),
        .target(name: "ShippedFAQ", exclude: ["faq.weights", "faq.vectors", "faq.heads"]),
        .target(name: "ShippedPrompts"),
        .target(
            name: "ShippedPages",
            exclude: ["review", "schema", "report.css", "evaluation.css", "language-names.txt"]),

        // The program, inside out.
        .target(name: "TriageCore", dependencies: ["CTextFold", "Platform"], swiftSettings: strict),
        .target(
            name: "TriageConfig",
            dependencies: [
                "TriageCore", "Platform", "ShippedLanguages", "ShippedPages", "CYaml",
            ],
            swiftSettings: strict),
        .target(
            name: "TriageMatching",
            dependencies: ["TriageCore", "Platform", "CPatternScan", "CPrefetch", "CVectorscan"],
            swiftSettings: strict),
        .target(
            name: "TriageStages",
            dependencies: [
                "TriageCore", "Platform", "ShippedLanguages", "ShippedFAQ", "ShippedEncoder", "CEncoder", "CPrefetch",
            ],
            swiftSettings: strict),
        .target(
            name: "TriageFormats",
            dependencies: ["TriageCore", "Platform", "CRecordScan", "CArchive", "CHTMLScan", "CMailScan"],
            swiftSettings: strict),
        .target(
            name: "TriageLLM", dependencies: ["TriageCore", "Platform", "CCurlMulti", "ShippedRules"],
            swiftSettings: strict),
        .target(
            name: "TriageStore", dependencies: ["TriageCore", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),
        .target(
            name: "TriageEvaluation", dependencies: ["TriageCore", "Platform", "ShippedPages"],
            swiftSettings: strict),
        .target(name: "TriageTraining", dependencies: ["TriageCore", "Platform"], swiftSettings: strict),
        // What joins the leaves: a run from its flags to its end, and what is built on runs.
        .target(
            name: "TriageRun",
            dependencies: [
                "TriageCore", "TriageConfig", "TriageMatching", "TriageStages", "TriageFormats", "TriageLLM",
                "TriageStore", "Platform", "ShippedRules", "ShippedLanguages", "ShippedModel", "ShippedPrompts",
                "CProcess",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        .target(
            name: "TriageInbox",
            dependencies: [
                "TriageRun", "TriageCore", "TriageConfig", "TriageStages", "TriageFormats", "TriageLLM", "TriageStore",
                "Platform", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(
            name: "TriageReports",
            dependencies: [
                "TriageInbox", "TriageRun", "TriageCore", "TriageFormats", "TriageLLM", "TriageStore", "ShippedPages",
            ],
            swiftSettings: strict),
        .target(
            name: "TriageReview",
            dependencies: [
                "TriageInbox", "TriageRun", "TriageCore", "TriageConfig", "TriageFormats", "TriageLLM", "TriageStore",
                "Platform", "ShippedPages",
            ],
            swiftSettings: strict),
        .target(
            name: "TriageLearning",
            dependencies: [
                "TriageRun", "TriageCore", "TriageConfig", "TriageMatching", "TriageStages", "TriageFormats",
                "TriageLLM", "TriageEvaluation", "TriageTraining", "Platform",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "triage",
            dependencies: [
                "TriageRun", "TriageInbox", "TriageReports", "TriageReview", "TriageLearning", "TriageCore",
                "TriageConfig", "TriageMatching", "TriageStages", "TriageFormats", "TriageEvaluation", "TriageTraining",
                "TriageLLM", "TriageStore", "Platform",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        .testTarget(name: "TriageCoreTests", dependencies: ["TriageCore"], swiftSettings: tests),
        .testTarget(
            name: "TriageMatchingTests", dependencies: ["TriageCore", "TriageMatching"], swiftSettings: tests),
        .testTarget(
            name: "TriageStagesTests",
            dependencies: ["TriageStages", "TriageCore", "ShippedLanguages", "CEncoder", "ShippedEncoder"],
            swiftSettings: tests),
        .testTarget(name: "LanguageCompilerTests", dependencies: ["LanguageCompiler"], swiftSettings: tests),
        .testTarget(
            name: "TriageConfigTests", dependencies: ["TriageConfig", "TriageCore"], swiftSettings: tests),
        .testTarget(
            name: "TriageFormatsTests", dependencies: ["TriageFormats", "TriageCore", "CRecordScan", "CArchive"],
            exclude: ["Fixtures"], swiftSettings: tests),
        .testTarget(
            name: "TriageEvaluationTests", dependencies: ["TriageEvaluation", "TriageCore"], swiftSettings: tests),
        .testTarget(
            name: "TriageTrainingTests", dependencies: ["TriageTraining", "TriageCore"], swiftSettings: tests),
        .testTarget(
            name: "TriageLLMTests",
            dependencies: ["TriageLLM", "TriageCore", "TriageConfig", "ShippedPrompts", "ShippedRules"],
            exclude: ["Attacks", "Drafts", "Golden"],
            swiftSettings: tests),
        .testTarget(
            name: "TriageStoreTests", dependencies: ["TriageStore", "TriageCore"], exclude: ["Fixtures"],
            swiftSettings: tests),
        // Sees what another package sees: no `package` declarations, no `@testable`.
        .testTarget(
            name: "TriageProductTests", dependencies: ["TriageRun", "TriageFormats", "TriageCore"],
            packageAccess: false, swiftSettings: tests),
        // Runs the program, and imports none of it: `swift build --build-tests` builds the program as well.
        .testTarget(
            name: "TriageEndToEndTests", dependencies: ["TriageCore", "CArchive"], swiftSettings: tests),
        .testTarget(
            name: "TriageFuzzTests",
            dependencies: [
                "triage", "TriageRun", "TriageInbox", "TriageReports", "TriageReview", "TriageConfig", "TriageCore",
                "TriageFormats", "TriageLLM", "TriageMatching", "TriageStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: tests),
    ],
    cxxLanguageStandard: .cxx20
)
