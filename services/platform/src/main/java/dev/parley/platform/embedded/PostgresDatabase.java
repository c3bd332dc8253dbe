package dev.parley.platform.embedded;

/**
 * A database with the logins of its owner and of the application.
 *
 * @param owner for migrations: owns the database, not a superuser
 * @param app for the running services: the role {@value EmbeddedPostgresServer#APP_ROLE} with the rights that
 *     migrations grant
 */
public record PostgresDatabase(DatabaseLogin owner, DatabaseLogin app) {}
