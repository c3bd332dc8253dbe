package dev.parley.platform.embedded;

/**
 * One database and the two ways in.
 *
 * @param owner for migrations: owns the database, is no superuser
 * @param app for the running services: owns nothing, may do only what the migrations grant to the role
 *     {@value EmbeddedPostgresServer#APP_ROLE}
 */
public record PostgresDatabase(DatabaseLogin owner, DatabaseLogin app) {}
