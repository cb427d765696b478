import Foundation

/// As much of JSON Schema as the program's own schema uses, written apart from it.
struct SchemaReader {
    private let root: [String: Any]

    init(_ root: [String: Any]) { self.root = root }

    /// Where a value does not fit, as paths with words; empty when it fits.
    func faults(of value: Any) -> [String] { faults(value, root, at: "") }

    private func faults(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        var found: [String] = []
        if let reference = schema["$ref"] as? String {
            guard let target = resolve(reference) else { return ["\(path): no such definition \(reference)"] }
            found += faults(value, target, at: path)
        }
        if let wanted = schema["const"], !isEqual(value, wanted) { found.append("\(path): not \(wanted)") }
        if let choices = schema["enum"] as? [Any], !choices.contains(where: { isEqual(value, $0) }) {
            found.append("\(path): none of the choices")
        }
        let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] } ?? []
        if !types.isEmpty, !types.contains(where: { isOf($0, value) }) { found.append("\(path): not \(types)") }
        for (key, combine) in [("anyOf", 1), ("oneOf", 2)] {
            guard let choices = schema[key] as? [[String: Any]] else { continue }
            let fitting = choices.filter { faults(value, $0, at: path).isEmpty }.count
            if combine == 1 ? fitting == 0 : fitting != 1 { found.append("\(path): \(fitting) of \(key) fit") }
        }
        for part in schema["allOf"] as? [[String: Any]] ?? [] { found += faults(value, part, at: path) }
        if let number = value as? NSNumber, !isBoolean(number) {
            if let least = schema["minimum"] as? Double, number.doubleValue < least {
                found.append("\(path): too small")
            }
            if let most = schema["maximum"] as? Double, number.doubleValue > most { found.append("\(path): too large") }
        }
        if let object = value as? [String: Any] { found += members(object, schema, at: path) }
        if let list = value as? [Any] {
            if let most = schema["maxItems"] as? Int, list.count > most { found.append("\(path): too many") }
            if let least = schema["minItems"] as? Int, list.count < least { found.append("\(path): too few") }
            if let items = schema["items"] as? [String: Any] {
                for (index, item) in list.enumerated() { found += faults(item, items, at: "\(path)/\(index)") }
            }
        }
        return found
    }

    private func members(_ object: [String: Any], _ schema: [String: Any], at path: String) -> [String] {
        var found: [String] = []
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        for name in schema["required"] as? [String] ?? [] where object[name] == nil {
            found.append("\(path): no \(name)")
        }
        for (name, value) in object {
            if let property = properties[name] {
                found += faults(value, property, at: "\(path)/\(name)")
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(path): unexpected \(name)")
            }
        }
        return found
    }

    private func resolve(_ reference: String) -> [String: Any]? {
        guard reference.hasPrefix("#/") else { return reference == "#" ? root : nil }
        return reference.dropFirst(2).split(separator: "/").reduce(root as Any?) { ($0 as? [String: Any])?[String($1)] }
            as? [String: Any]
    }

    private func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "null": value is NSNull
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": (value as? NSNumber).map(isBoolean) ?? false
        case "number": (value as? NSNumber).map { !isBoolean($0) } ?? false
        case "integer":
            (value as? NSNumber).map { !isBoolean($0) && $0.doubleValue == $0.doubleValue.rounded() } ?? false
        default: false
        }
    }

    private func isEqual(_ a: Any, _ b: Any) -> Bool {
        if let a = a as? NSNumber, let b = b as? NSNumber { return isBoolean(a) == isBoolean(b) && a == b }
        if let a = a as? String, let b = b as? String { return a == b }
        return a is NSNull && b is NSNull
    }

    /// JSON's true is no number, though Foundation holds both in one type.
    private func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
