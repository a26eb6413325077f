import HTTPTypes
import WebAPI

extension Output {
    /// The output with the values of secret header fields left out.
    var withoutSecrets: Output {
        guard case .response(let response) = self else { return self }
        var headers = HTTPFields()
        for (field, line) in zip(response.headers, response.headers.redactedLines) {
            let isSecret = line == "\(field.name): ***"
            headers.append(isSecret ? HTTPField(name: field.name, value: "***") : field)
        }
        return .response(
            Response(status: response.status, headers: headers, payload: response.payload))
    }
}
