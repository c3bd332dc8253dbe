package dev.parley.control.permissions;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.RuleRow;
import dev.parley.control.definitions.RuleRows;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.Published;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.platform.database.Database;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
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

    /** Of those that were taken back, the newest are kept. */
    private static final int KEPT = 1_000;

    private final Database database;
    private final Audit audit;
    private final RuleRows rows;
    private final Published published;
    private final KafkaDefinitions definitions;

    Rules(Database database, RuleRows rows, Published published, KafkaDefinitions definitions, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
        this.definitions = definitions;
    }

    /** What sessions of the place know. */
    Definitions known(DefinitionScope place) {
        UUID project = place.projectId();
        return project == null ? definitions.ofHost(place.host()) : definitions.in(place.host(), project);
    }

    /** Those that were made in this place, the oldest first. */
    Page<RuleJson> list(DefinitionScope place, @Nullable Integer limit, @Nullable String cursor) {
        int most = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<RuleRow> found = page(place, after, most + 1);
        return Page.of(found, most, row -> RuleJson.of(row), row -> Cursor.of(row.createdAt(), row.ruleId()));
    }

    private List<RuleRow> page(DefinitionScope place, @Nullable Cursor after, int most) {
        return database.in(
                place.caller().tenant(),
                () -> rows.page(
                        place.host(),
                        place.projectId(),
                        after == null ? null : after.time(),
                        after == null ? null : after.id(),
                        most));
    }

    /** All that were made in this place, the oldest first. */
    List<RuleJson> own(DefinitionScope place) {
        return page(place, null, Integer.MAX_VALUE).stream().map(RuleJson::of).toList();
    }

    /** Makes a rule. @throws ApiException 409 where there are too many */
    RuleJson make(DefinitionScope place, RuleBody body) {
        return make(place, NewIds.next(), body).orElseThrow();
    }

    /** The same with an id that the rule has already; empty where it was made before, whatever became of it. */
    Optional<RuleJson> make(DefinitionScope place, UUID id, RuleBody body) {
        PermissionRule rule = body.rule(place, id);
        Optional<RuleRow> made = database.in(place.tenant(), () -> {
            if (rows.existsByHostIdAndRuleId(place.host(), id)) {
                return Optional.empty();
            }
            Quota.check(rows.count(place.host(), place.projectId()), MOST, "rules");
            rows.purge(place.host(), place.projectId(), KEPT);
            audit.add(entry(place, "create", id));
            return Optional.of(rows.insert(
                    place.host(),
                    id,
                    place.projectId(),
                    rule.agent(),
                    rule.tool(),
                    rule.pattern(),
                    rule.action().code(),
                    rule.locked(),
                    rule.expires(),
                    place.caller().user()));
        });
        made.map(RuleRow::defined)
                .ifPresent(defined -> published.awaitDefinition(place.scope().key(defined), defined));
        return made.map(RuleJson::of);
    }

    private static Entry entry(DefinitionScope place, String action, UUID id) {
        return Entry.done(
                place.host(),
                place.projectId(),
                "permission",
                action,
                id,
                place.caller().user());
    }

    /** Takes a rule of this place back. @throws ApiException 404 where there is none */
    void delete(DefinitionScope place, UUID id) {
        database.in(place.tenant(), () -> {
            int found = rows.delete(
                    place.host(), place.projectId(), id, place.caller().user());
            if (found == 0) {
                throw ApiException.notFound("unknown_rule", "There is no rule '" + id + "' here");
            }
            audit.add(entry(place, "delete", id));
            return null;
        });
        published.awaitDefinition(place.scope().key("permission", id.toString()), null);
    }
}
