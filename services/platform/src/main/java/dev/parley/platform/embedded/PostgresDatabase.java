package dev.parley.platform.embedded;

import java.sql.SQLException;

/**
 * A database with the logins of its owner and of the application.
 *
 * @param owner for migrations: owns the database, not a superuser
 * @param app for the running services: the role {@value EmbeddedPostgresServer#APP_ROLE} with the rights that
 *     migrations grant
 */
public record PostgresDatabase(DatabaseLogin owner, DatabaseLogin app) {
    /**
     * Makes sure that a server has the database and both roles.
     *
     * @param superuser of the server, with the URL of any of its databases
     * @param name of the database
     */
    public static PostgresDatabase ensure(
            DatabaseLogin superuser, String name, String ownerPassword, String appPassword) throws SQLException {
        var owner = EmbeddedPostgresServer.OWNER_ROLE;
        var app = EmbeddedPostgresServer.APP_ROLE;
        try (var roles = new PostgresRoles(superuser)) {
            roles.ensureRole(owner, ownerPassword);
            roles.ensureRole(app, appPassword);
            roles.ensureDatabase(name, owner, app);
        }
        var url = superuser.url().replaceFirst("[^/?]*(\\?.*)?$", name + "$1");
        try (var database = new PostgresRoles(new DatabaseLogin(url, superuser.user(), superuser.password()))) {
            database.ensureSearch();
        }
        return new PostgresDatabase(
                new DatabaseLogin(url, owner, ownerPassword), new DatabaseLogin(url, app, appPassword));
    }
}
