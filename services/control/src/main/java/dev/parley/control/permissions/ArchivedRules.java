package dev.parley.control.permissions;

import dev.parley.control.definitions.ArchivedKind;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.RuleRow;
import dev.parley.control.http.Documents;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.Ids;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleDocument;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.Stored.Refused;
import dev.parley.platform.document.Stored.Valid;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Permission rules in project archives: the document of a rule, its tool, and the id by which it is imported once.
 * Expired rules are not imported.
 */
@Singleton
@Requires(beans = PermissionRules.class)
final class ArchivedRules implements ArchivedKind {
    private static final Document<RuleDocument> RULE = Document.of(RuleDocument.class);

    private final PermissionRules rules;

    ArchivedRules(PermissionRules rules) {
        this.rules = rules;
    }

    @Override
    public String name() {
        return "rules";
    }

    @Override
    public List<JsonNode> export(DefinitionScope scope) {
        return rules.listOwn(scope).stream().map(ArchivedRules::archived).toList();
    }

    private static JsonNode archived(RuleRow row) {
        Object document = switch (row.stored()) {
            case Valid<PermissionRule>(PermissionRule rule) -> RULE.write(RuleDocument.of(rule));
            case Refused<PermissionRule> refused -> refused.document();
        };
        return JsonNode.from(Map.of("id", row.ruleId().toString(), "tool", row.tool(), "rule", document));
    }

    /** The rule of an entry of an archive. */
    static RuleDocument read(JsonNode archived) {
        return Documents.read(RuleDocument.class, null, JsonColumns.member(archived, "rule"));
    }

    @Override
    public Optional<String> importOne(DefinitionScope scope, JsonNode definition) {
        RuleDocument rule = read(definition);
        Instant expires = rule.expires();
        if (expires == null || expires.isAfter(Instant.now())) {
            UUID archived = Ids.parse(Objects.requireNonNull(JsonColumns.text(definition, "id")));
            rules.create(scope, Ids.of("imported", Objects.requireNonNull(scope.projectId()), archived), rule);
        }
        return Optional.empty();
    }
}
