package dev.parley.platform.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Utils;

/**
 * A role that reads the tables, for BI tools. It sees the rows of its tenant whatever it sets itself: besides the settings
 * with which row-level security works, each table has a policy for the role that names the tenant. It reads columns that
 * have a comment, unless that begins with {@code Secret.}, views by what it reads of their tables, no table without a
 * host, and of a project only what belongs to it.
 *
 * @param name of the role
 * @param host id of the tenant; null for all
 * @param project id of the project; null for all of the host
 */
public record ReaderRole(
        String name, @Nullable String host, @Nullable String project) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,50}");

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private static final String TENANT = """
        SELECT h.host_id, p.project_id
        FROM control.host_t h
        LEFT JOIN control.project_t p ON p.host_id = h.host_id AND p.project_key = ?
        WHERE h.host_key = ? OR h.host_id::text = ?\
        """;

    /**
     * Tables and views that the role may read, with the columns that are known to be no secrets. A view is read with the
     * rights of the reader, so its columns need no comments.
     */
    private static final String READABLE = """
        SELECT c.oid::regclass::text AS relation, c.relkind = 'v' AS is_view,
          string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
            FILTER (WHERE c.relkind = 'v' OR col_description(c.oid, a.attnum) NOT LIKE 'Secret.%') AS columns,
          bool_or(a.attname = 'project_id') AS of_project
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relowner = current_user::regrole
          AND (c.relrowsecurity AND c.relkind IN ('r', 'p') OR c.reloptions @> '{security_invoker=true}')
        GROUP BY c.oid, c.relkind HAVING bool_or(a.attname = 'host_id') ORDER BY 1\
        """;

    /** @throws IllegalArgumentException if the name is no plain name, or a project has no host */
    public ReaderRole {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a role is named with lower-case letters, digits and _, not '" + name + "'");
        }
        var _ = new Tenant(host == null ? "*" : host, project == null ? "*" : project, ""); // checks the ids
    }

    /**
     * The role for a tenant that is named by keys.
     *
     * @param owner of the tables
     * @param project key of a project, or null
     * @throws IllegalArgumentException if there is no such tenant
     */
    public static ReaderRole of(DataSource owner, String name, String host, @Nullable String project)
            throws SQLException {
        try (Connection connection = owner.getConnection();
                Statement every = connection.createStatement();
                var statement = connection.prepareStatement(TENANT)) {
            every.execute("SET app.host = '*'");
            statement.setString(1, project);
            statement.setString(2, host);
            statement.setString(3, host);
            ResultSet row = statement.executeQuery();
            if (!row.next() || (project != null && row.getString(2) == null)) {
                throw new IllegalArgumentException("there is no host '" + host + "'"
                        + (project == null ? "" : " with a project '" + project + "'"));
            }
            return new ReaderRole(name, row.getString(1), row.getString(2));
        }
    }

    private record Relation(String name, boolean isView, String columns, boolean ofProject) {}

    /**
     * Statements that create the role, or change its password, and give it its settings. They need a superuser, because
     * only one may give a role settings of an application.
     *
     * @param database in which the tables are
     */
    public List<String> creation(DataSource database, String password) throws SQLException {
        try (Connection connection = database.getConnection();
                var statement = connection.prepareStatement(
                        "SELECT current_database(), EXISTS (SELECT FROM pg_roles WHERE rolname = ?)")) {
            statement.setString(1, name);
            ResultSet row = statement.executeQuery();
            row.next();
            String role =
                    "%s ROLE %s LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '%s'";
            return List.of(
                    role.formatted(
                            row.getBoolean(2) ? "ALTER" : "CREATE", name, Utils.escapeLiteral(null, password, true)),
                    set("app.host", host == null ? "*" : host),
                    set("app.project", project == null ? "*" : project),
                    set("default_transaction_read_only", "on"),
                    "GRANT CONNECT ON DATABASE %s TO %s"
                            .formatted(Utils.escapeIdentifier(null, row.getString(1)), name));
        }
    }

    /** Executes the statements of {@link #creation}; false if the login may not. */
    public static boolean execute(DataSource superuser, List<String> statements) throws SQLException {
        try (Connection connection = superuser.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String text : statements) {
                statement.execute(text);
            }
            connection.commit();
            return true;
        } catch (SQLException e) {
            if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private String set(String setting, String value) {
        return "ALTER ROLE %s SET %s = '%s'".formatted(name, setting, value);
    }

    /**
     * Grants what the role may read, and takes from it what it may not. Tables of later releases need it again.
     *
     * @param database logs in as the owner of the tables
     * @return the number of tables and views
     */
    public int grant(DataSource database) throws SQLException {
        try (Connection owner = database.getConnection();
                Statement statement = owner.createStatement()) {
            owner.setAutoCommit(false);
            List<Relation> readable = readable(owner);
            for (String text : grants(readable)) {
                statement.addBatch(text);
            }
            statement.executeBatch();
            owner.commit();
            return (int) readable.stream().filter(this::mayRead).count();
        }
    }

    private boolean mayRead(Relation readable) {
        return project == null || readable.ofProject();
    }

    private List<String> grants(List<Relation> all) {
        var statements = new ArrayList<String>();
        for (Relation readable : all) {
            String relation = readable.name();
            statements.add("REVOKE ALL ON %s FROM %s".formatted(relation, name));
            if (!readable.isView()) {
                statements.add("DROP POLICY IF EXISTS reader_%s ON %s".formatted(name, relation));
            }
            if (mayRead(readable)) {
                String schema = relation.substring(0, relation.indexOf('.'));
                statements.add("GRANT USAGE ON SCHEMA %s TO %s".formatted(schema, name));
                statements.add("GRANT SELECT (%s) ON %s TO %s".formatted(readable.columns(), relation, name));
                if (!readable.isView() && host != null) {
                    statements.add(
                            "CREATE POLICY reader_%1$s ON %2$s AS RESTRICTIVE FOR SELECT TO %1$s USING (host_id = '%3$s'%4$s)"
                                    .formatted(
                                            name,
                                            relation,
                                            host,
                                            project == null ? "" : " AND project_id = '" + project + "'"));
                }
            }
        }
        return statements;
    }

    private static List<Relation> readable(Connection owner) throws SQLException {
        try (var statement = owner.createStatement();
                var row = statement.executeQuery(READABLE)) {
            var found = new ArrayList<Relation>();
            while (row.next()) {
                found.add(new Relation(row.getString(1), row.getBoolean(2), row.getString(3), row.getBoolean(4)));
            }
            return found;
        }
    }
}
