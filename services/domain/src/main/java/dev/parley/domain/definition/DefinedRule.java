package dev.parley.domain.definition;

import dev.parley.domain.permission.PermissionRule;

/** A rule about tool calls that somebody defined, other than a session's own. */
public record DefinedRule(PermissionRule rule) implements Definition {
    @Override
    public String name() {
        return rule.id().toString();
    }
}
