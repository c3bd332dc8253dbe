package dev.parley.platform.database;

import dev.parley.domain.Ids;
import java.util.UUID;

/**
 * The owner of the rows that a transaction reads and writes. The row policies of Postgres enforce it for all
 * statements, by the settings {@code app.host}, {@code app.project} and {@code app.user} of the transaction.
 *
 * @param host an id; {@code *} for all hosts and their projects; empty for none
 * @param project an id; {@code *} for all projects of the host; empty for none
 * @param user of the request; empty without one
 */
public record Tenant(String host, String project, String user) {
    private static final String EVERY = "*";

    /** All rows: for internal work such as projections and migrations, never for a request. */
    public static final Tenant ALL = new Tenant(EVERY, EVERY, "");

    /** Only rows without a host, such as watermarks. */
    public static final Tenant NONE = new Tenant("", "", "");

    /** Condition on the host of a row. Each setting is read once per statement, not per row. */
    static final String OF_HOST = "((SELECT current_setting('app.host', true) = '*') OR host_id = " + id("host") + ")";

    /** Condition on the host and project of a row. */
    static final String OF_PROJECT = "((SELECT current_setting('app.host', true) = '*') OR (host_id = " + id("host")
            + " AND ((SELECT current_setting('app.project', true) = '*') OR project_id = " + id("project") + ")))";

    public Tenant {
        requireId(host);
        requireId(project);
        if (host.equals(EVERY) && !project.equals(EVERY)) {
            throw new IllegalArgumentException("a project is one of a host");
        }
        if (user.equals(EVERY)) {
            throw new IllegalArgumentException("not a user: " + EVERY);
        }
    }

    private static void requireId(String value) {
        if (!value.isEmpty() && !value.equals(EVERY)) {
            Ids.parse(value);
        }
    }

    private static String id(String setting) {
        return "(SELECT nullif(nullif(current_setting('app." + setting + "', true), '*'), '')::uuid)";
    }

    /** All projects of a host. */
    public static Tenant of(UUID host) {
        return new Tenant(host.toString(), EVERY, "");
    }

    /** This tenant, restricted to a project. */
    public Tenant project(UUID project) {
        return new Tenant(host, project.toString(), user);
    }

    /** This tenant, with a user. */
    public Tenant user(String name) {
        return new Tenant(host, project, name);
    }
}
