package dev.parley.platform.embedded;

/**
 * A database with the logins of its owner and of the application.
 *
 * @param owner for migrations: owns the database, is no superuser
 * @param app for the running services: owns nothing, may do only what the migrations grant to the role
 *     {@value EmbeddedPostgresServer#APP_ROLE}
 */
public record PostgresDatabase(DatabaseLogin owner, DatabaseLogin app) {}
