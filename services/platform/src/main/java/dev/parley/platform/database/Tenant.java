package dev.parley.platform.database;

import java.util.UUID;

/**
 * Whose rows a transaction sees and writes. Postgres keeps to it by the policies of the tables, whatever a statement says;
 * it is told by the settings {@code app.host}, {@code app.project} and {@code app.user}, which end with the transaction.
 *
 * @param host an id; {@code *} for all hosts, and with them all projects; empty for none
 * @param project an id; {@code *} for all projects of the host; empty for none
 * @param user who asks; empty for nobody in particular
 */
public record Tenant(String host, String project, String user) {
    private static final String EVERY = "*";

    /** Everything: for work that is nobody's own, such as projecting, purging and migrating. Never for a request. */
    public static final Tenant ALL = new Tenant(EVERY, EVERY, "");

    /** No row that belongs to a host, for instance to see how far the views are. */
    public static final Tenant NONE = new Tenant("", "", "");

    /** A row's host is the one that was set. Each setting is read once a statement, not once a row. */
    static final String OF_HOST = "((SELECT current_setting('app.host', true) = '*') OR host_id = " + id("host") + ")";

    /** And so is its project. */
    static final String OF_PROJECT = "((SELECT current_setting('app.host', true) = '*') OR (host_id = " + id("host")
            + " AND ((SELECT current_setting('app.project', true) = '*') OR project_id = " + id("project") + ")))";

    public Tenant {
        requireId(host);
        requireId(project);
        if (host.equals(EVERY) && !project.equals(EVERY)) {
            throw new IllegalArgumentException("a project is one of a host");
        }
        if (user.equals(EVERY)) {
            throw new IllegalArgumentException("nobody is called " + EVERY);
        }
    }

    private static void requireId(String value) {
        if (!value.isEmpty() && !value.equals(EVERY)) {
            UUID.fromString(value);
        }
    }

    private static String id(String setting) {
        return "(SELECT nullif(nullif(current_setting('app." + setting + "', true), '*'), '')::uuid)";
    }

    /** All projects of a host. */
    public static Tenant of(UUID host) {
        return new Tenant(host.toString(), EVERY, "");
    }

    /** Of these, one project. */
    public Tenant project(UUID project) {
        return new Tenant(host, project.toString(), user);
    }

    /** The same, for a user. */
    public Tenant user(String name) {
        return new Tenant(host, project, name);
    }
}
