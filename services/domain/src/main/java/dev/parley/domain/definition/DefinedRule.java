package dev.parley.domain.definition;

import dev.parley.domain.permission.PermissionRule;

/** An administrator's permission rule; rules of sessions are not among them. */
public record DefinedRule(PermissionRule rule) implements Definition {
    @Override
    public String name() {
        return rule.id().toString();
    }
}
