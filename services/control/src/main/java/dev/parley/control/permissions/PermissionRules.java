package dev.parley.control.permissions;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.RuleRow;
import dev.parley.control.definitions.RuleRows;
import dev.parley.control.http.Checks;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.document.Fault;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleDocument;
import dev.parley.platform.database.Database;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.document.Document;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Permission rules of projects and hosts. The table is the source of truth; rules are published on {@code
 * definitions} and apply from the next tool call on.
 */
@Singleton
@Requires(beans = KafkaDefinitions.class)
final class PermissionRules {
    private static final Document<RuleDocument> RULE = Document.of(RuleDocument.class);

    /** Every instance that decides turns holds all of them in memory. */
    private static final int MAX_RULES = 1_000;

    /** Keeps only the newest deleted rules. */
    private static final int MAX_DELETED = 1_000;

    private final Database database;
    private final Audit audit;
    private final RuleRows rows;
    private final PublicationBarrier published;
    private final KafkaDefinitions definitions;

    PermissionRules(
            Database database, RuleRows rows, PublicationBarrier published, KafkaDefinitions definitions, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
        this.definitions = definitions;
    }

    /** The definitions that sessions of the scope see. */
    Definitions visible(DefinitionScope scope) {
        UUID project = scope.projectId();
        return project == null ? definitions.ofHost(scope.host()) : definitions.in(scope.host(), project);
    }

    /** A page of the rules of the scope, oldest first. */
    Page<RuleJson> list(DefinitionScope scope, @Nullable Integer limit, @Nullable String cursor) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<RuleRow> found = page(scope, after, max + 1);
        return Page.of(found, max, row -> RuleJson.of(row), row -> Cursor.of(row.createdAt(), row.ruleId()));
    }

    private List<RuleRow> page(DefinitionScope scope, @Nullable Cursor after, int max) {
        return database.listingIn(
                scope.caller().tenant(),
                () -> rows.page(scope.host(), scope.projectId(), Cursor.timeOf(after), Cursor.idOf(after), max));
    }

    /** All rules of the scope, oldest first. */
    List<RuleRow> listOwn(DefinitionScope scope) {
        return page(scope, null, Integer.MAX_VALUE);
    }

    /**
     * Creates a rule.
     *
     * @throws ApiException 409 where there are too many
     */
    RuleJson create(DefinitionScope scope, RuleDocument document) {
        return create(scope, NewIds.next(), document).orElseThrow();
    }

    /** Creates a rule with a given id; empty if a rule with this id existed before, even if it was deleted. */
    Optional<RuleJson> create(DefinitionScope scope, UUID id, RuleDocument document) {
        List<Fault> faults = RULE.faults(document);
        if (!faults.isEmpty()) {
            throw Checks.invalid(faults);
        }
        Checks.future("expiresAt", document.expires());
        PermissionRule rule = document.rule(
                id,
                RuleRow.level(scope.projectId(), document.agent()),
                scope.caller().user());
        Optional<RuleRow> created = database.in(scope.tenant(), transaction -> {
            if (rows.existsByHostIdAndRuleId(scope.host(), id)) {
                return Optional.empty();
            }
            Quota.check(
                    transaction, scope.scope(), () -> rows.count(scope.host(), scope.projectId()), MAX_RULES, "rules");
            rows.purge(scope.host(), scope.projectId(), MAX_DELETED);
            audit.add(entry(scope, "create", id));
            return Optional.of(insert(scope, id, rule));
        });
        created.map(RuleRow::toDefinition)
                .ifPresent(defined -> published.awaitDefinition(scope.scope().key(defined), defined));
        return created.map(RuleJson::of);
    }

    private RuleRow insert(DefinitionScope scope, UUID id, PermissionRule rule) {
        return rows.insert(
                scope.host(),
                id,
                scope.projectId(),
                rule.agent(),
                rule.tool(),
                rule.pattern(),
                rule.action().code(),
                rule.locked(),
                rule.expires(),
                scope.caller().user());
    }

    private static Entry entry(DefinitionScope scope, String action, UUID id) {
        String user = scope.caller().user();
        return Entry.done(scope.host(), scope.projectId(), "permission", action, id, user);
    }

    /**
     * Deletes a rule of the scope.
     *
     * @throws ApiException 404 where there is none
     */
    void delete(DefinitionScope scope, UUID id) {
        database.in(scope.tenant(), () -> {
            int found = rows.delete(
                    scope.host(), scope.projectId(), id, scope.caller().user());
            if (found == 0) {
                throw ApiException.notFound("unknown_rule", "There is no rule '" + id + "' here");
            }
            audit.add(entry(scope, "delete", id));
        });
        published.awaitDefinition(scope.scope().key("permission", id.toString()), null);
    }
}
