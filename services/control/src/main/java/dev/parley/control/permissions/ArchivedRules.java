package dev.parley.control.permissions;

import dev.parley.control.definitions.ArchivedKind;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.domain.Ids;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Permission rules in project archives. Expired rules are not imported. */
@Singleton
@Requires(beans = PermissionRules.class)
final class ArchivedRules implements ArchivedKind {
    private final PermissionRules rules;
    private final JsonMapper json;

    ArchivedRules(PermissionRules rules, JsonMapper json) {
        this.rules = rules;
        this.json = json;
    }

    /** A rule, and the id by which it is imported once. */
    @Serdeable
    record Archived(UUID id, String tool, RuleBody rule) {}

    @Override
    public String name() {
        return "rules";
    }

    @Override
    public List<JsonNode> export(DefinitionScope scope) throws IOException {
        var definitions = new ArrayList<JsonNode>();
        for (RuleJson rule : rules.listOwn(scope)) {
            var body = new RuleBody(
                    rule.agent(), rule.tool(), rule.pattern(), rule.action(), rule.locked(), rule.expiresAt());
            definitions.add(json.writeValueToTree(new Archived(rule.id(), rule.tool(), body)));
        }
        return definitions;
    }

    @Override
    public Optional<String> importOne(DefinitionScope scope, JsonNode definition) throws IOException {
        Archived archived = Objects.requireNonNull(json.readValueFromTree(definition, Archived.class));
        Instant expires = archived.rule().expiresAt();
        if (expires == null || expires.isAfter(Instant.now())) {
            UUID id = Ids.of("imported", Objects.requireNonNull(scope.projectId()), archived.id());
            rules.create(scope, id, archived.rule());
        }
        return Optional.empty();
    }
}
