package dev.parley.platform.database;

import java.util.ArrayList;
import java.util.List;

/** Verifies that Postgres isolates tenants for the application's role, and that queries still use their indexes. */
public final class RowSecurityCheck {
    private static final String EXEMPT =
            "SELECT current_user FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)";
    private static final String SEARCH =
            "SELECT 1 FROM pg_proc WHERE oid = 'pg_catalog.ts_match_vq(tsvector, tsquery)'::regprocedure AND NOT proleakproof";

    private RowSecurityCheck() {}

    /**
     * Problems that an operator must fix, a sentence each.
     *
     * @param app logs in as the application
     * @throws Sql.FailedException if the database does not answer
     */
    public static List<String> weaknesses(Database app) {
        TenantSql sql = new Sql(app).as(Tenant.NONE);
        var found = new ArrayList<String>();
        String exempt = sql.query(EXEMPT, row -> row.next() ? row.getString(1) : "");
        if (!exempt.isEmpty()) {
            found.add("Postgres keeps no hosts and projects apart for the role '" + exempt
                    + "', which is a superuser or has BYPASSRLS: give the application a role of its own");
        }
        if (sql.query(SEARCH, row -> row.next())) {
            found.add(
                    "searches of messages do not use their index: docs/operations.md has the statement for a superuser");
        }
        return found;
    }
}
