import WebAPI

extension GitHub {
    /// A user, with the number of the user's public repositories.
    struct User: Decodable, Equatable, Sendable {
        let login: String
        let name: String?
        let repositories: Int

        private enum CodingKeys: String, CodingKey {
            case login, name
            case repositories = "public_repos"
        }
    }

    /// The user with a login.
    struct UserByLogin: Endpoint {
        let login: String
        var call: Call<User> { Call("/users/\(login)") }
    }
}
