package dev.parley.platform.embedded;

/**
 * Credentials of a Postgres database.
 *
 * @param url JDBC URL, without user and password
 * @param user role to log in as
 * @param password its password; never printed by {@link #toString()}
 */
public record DatabaseLogin(String url, String user, String password) {
    @Override
    public String toString() {
        return "DatabaseLogin[" + user + " at " + url + "]";
    }
}
