package dev.parley.control.definitions;

import dev.parley.control.http.Columns;
import dev.parley.domain.definition.DefinedRule;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code control.permission_rule_t}.
 *
 * @param project null where it holds in all projects of the host
 */
public record RuleRow(UUID host, @Nullable UUID project, PermissionRule rule, Instant createdAt) {
    /** Rules of a host that hold; what is asked for follows. */
    public static final String SELECT = "SELECT * FROM control.permission_rule_t WHERE host_id = ? AND active";

    /** Reads the row that a result stands on. */
    public static RuleRow of(ResultSet row) throws SQLException {
        UUID project = Columns.uuidOrNull(row, "project_id");
        String agent = row.getString("agent");
        var rule = new PermissionRule(
                Columns.uuid(row, "rule_id"),
                level(project, agent),
                agent,
                row.getString("tool"),
                row.getString("pattern"),
                PermissionAction.valueOf(row.getString("action").toUpperCase(Locale.ROOT)),
                row.getBoolean("locked"),
                Columns.timeOrNull(row, "expires_ts"),
                row.getString("update_user"));
        return new RuleRow(Columns.uuid(row, "host_id"), project, rule, Columns.time(row, "created_ts"));
    }

    /** How far a rule of a host or a project reaches. */
    public static RuleLevel level(@Nullable UUID project, @Nullable String agent) {
        return agent != null ? RuleLevel.AGENT : project != null ? RuleLevel.PROJECT : RuleLevel.HOST;
    }

    /** The record of a rule that holds, on {@code definitions}. */
    public static Optional<DefinedRule> find(Transaction transaction, Scope scope, String id) {
        return transaction
                .query(
                        SELECT + " AND project_id IS NOT DISTINCT FROM ?::uuid AND rule_id = ?::uuid",
                        row -> Columns.first(row, RuleRow::of),
                        scope.host(),
                        scope.project(),
                        id)
                .map(row -> new DefinedRule(row.rule()));
    }
}
