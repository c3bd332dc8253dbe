package dev.parley.control.permissions;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.definitions.Place;
import dev.parley.control.definitions.RuleRow;
import dev.parley.control.http.Columns;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.Published;
import dev.parley.domain.definition.DefinedRule;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.platform.database.Database;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rules of projects and hosts. The table is the truth; they go to the topic {@code definitions}, and hold from the next call on. */
@Singleton
@Requires(property = "parley.role.control", value = "true", beans = KafkaDefinitions.class)
final class Rules {
    /** Every process that decides turns holds all of them. */
    private static final int MOST = 1_000;

    private static final String HERE = " AND project_id IS NOT DISTINCT FROM ?::uuid";

    private static final String MADE = "SELECT 1 FROM control.permission_rule_t WHERE host_id = ? AND rule_id = ?";

    /** Of those that were taken back, the newest are kept. */
    private static final String PURGE = """
            DELETE FROM control.permission_rule_t WHERE host_id = ? AND project_id IS NOT DISTINCT FROM ?::uuid AND rule_id IN (
              SELECT rule_id FROM control.permission_rule_t
              WHERE host_id = ? AND project_id IS NOT DISTINCT FROM ?::uuid AND NOT active
              ORDER BY update_ts DESC OFFSET 1000)
            """;

    private final Database database;
    private final Published published;
    private final KafkaDefinitions definitions;

    Rules(Database database, Published published, KafkaDefinitions definitions) {
        this.database = database;
        this.published = published;
        this.definitions = definitions;
    }

    /** What sessions of the place know. */
    Definitions known(Place place) {
        UUID project = place.projectId();
        return project == null ? definitions.ofHost(place.host()) : definitions.in(place.host(), project);
    }

    /** Those that were made in this place, the oldest first. */
    Page<RuleJson> list(Place place, @Nullable Integer limit, @Nullable String cursor) {
        int most = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<RuleRow> rows = database.in(
                place.caller().tenant(),
                transaction -> transaction.query(
                        RuleRow.SELECT + HERE
                                + " AND (?::uuid IS NULL OR (created_ts, rule_id) > (?::timestamptz, ?::uuid)) ORDER BY created_ts, rule_id LIMIT ?",
                        row -> Columns.all(row, RuleRow::of),
                        place.host(),
                        place.projectId(),
                        after == null ? null : after.id(),
                        after == null ? null : after.time(),
                        after == null ? null : after.id(),
                        most + 1));
        return Page.of(
                rows,
                most,
                RuleJson::of,
                row -> Cursor.of(row.createdAt(), row.rule().id()));
    }

    /** All that were made in this place, the oldest first. */
    List<RuleJson> own(Place place) {
        return database
                .in(
                        place.caller().tenant(),
                        transaction -> transaction.query(
                                RuleRow.SELECT + HERE + " ORDER BY created_ts, rule_id",
                                row -> Columns.all(row, RuleRow::of),
                                place.host(),
                                place.projectId()))
                .stream()
                .map(RuleJson::of)
                .toList();
    }

    /** Makes a rule. @throws ApiException 409 where there are too many */
    RuleJson make(Place place, RuleBody body) {
        return make(place, NewIds.next(), body).orElseThrow();
    }

    /** The same with an id that the rule has already; empty where it was made before, whatever became of it. */
    Optional<RuleJson> make(Place place, UUID id, RuleBody body) {
        PermissionRule rule = body.rule(place, id);
        Optional<RuleRow> made = database.in(place.tenant(), transaction -> {
            if (transaction.query(MADE, ResultSet::next, place.host(), id)) {
                return Optional.empty();
            }
            Quota.check(transaction, MOST, "rules", RuleRow.SELECT + HERE, place.host(), place.projectId());
            transaction.update(PURGE, place.host(), place.projectId(), place.host(), place.projectId());
            transaction.update(
                    """
                    INSERT INTO control.permission_rule_t (host_id, rule_id, project_id, agent, tool, pattern, action, locked,
                      expires_ts, update_user)
                    VALUES (?, ?, ?::uuid, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    place.host(),
                    id,
                    place.projectId(),
                    rule.agent(),
                    rule.tool(),
                    rule.pattern(),
                    rule.action().code(),
                    rule.locked(),
                    rule.expires(),
                    place.caller().user());
            Audit.add(transaction, entry(place, "create", id));
            return transaction.query(
                    RuleRow.SELECT + " AND rule_id = ?", row -> Columns.first(row, RuleRow::of), place.host(), id);
        });
        made.map(row -> new DefinedRule(row.rule()))
                .ifPresent(defined -> published.awaitDefinition(place.scope().key(defined), defined));
        return made.map(RuleJson::of);
    }

    private static Entry entry(Place place, String action, UUID id) {
        return Entry.done(
                place.host(),
                place.projectId(),
                "permission",
                action,
                id,
                place.caller().user());
    }

    /** Takes a rule of this place back. @throws ApiException 404 where there is none */
    void delete(Place place, UUID id) {
        database.in(place.tenant(), transaction -> {
            int found = transaction.update(
                    "UPDATE control.permission_rule_t SET active = false, aggregate_version = aggregate_version + 1, update_ts = now(),"
                            + " update_user = ? WHERE host_id = ? AND active AND rule_id = ?" + HERE,
                    place.caller().user(),
                    place.host(),
                    id,
                    place.projectId());
            if (found == 0) {
                throw ApiException.notFound("unknown_rule", "There is no rule '" + id + "' here");
            }
            Audit.add(transaction, entry(place, "delete", id));
            return null;
        });
        published.awaitDefinition(place.scope().key("permission", id.toString()), null);
    }
}
