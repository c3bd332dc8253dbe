package dev.parley.platform.config;

import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.platform.config.ConfigFile.PermissionSection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the rules about tool calls of {@code parley.yml}. The same rule has the same id at each start. */
final class PermissionReader {
    private PermissionReader() {}

    static List<PermissionRule> permissions(@Nullable List<PermissionSection> sections) {
        var rules = new ArrayList<PermissionRule>();
        for (PermissionSection section : sections == null ? List.<PermissionSection>of() : sections) {
            rules.add(rule("permissions[" + rules.size() + "]", section));
        }
        return rules;
    }

    private static PermissionRule rule(String path, PermissionSection section) {
        if (section.tool() == null) {
            throw new ConfigException(path + ".tool", "is the name of a tool, or * for all of them");
        }
        PermissionAction action = Coded.of(PermissionAction.class, section.action())
                .orElseThrow(() -> new ConfigException(path + ".action", "is allow, ask or deny"));
        String pattern = section.pattern() == null ? PermissionRule.EVERYTHING : section.pattern();
        boolean locked = Boolean.TRUE.equals(section.locked());
        UUID id = Ids.of(
                "permission", "config", String.valueOf(section.agent()), section.tool(), pattern, action, locked);
        RuleLevel level = section.agent() == null ? RuleLevel.INSTALLATION : RuleLevel.AGENT;
        try {
            String tool = PermissionRule.tool(section.tool());
            String agent = section.agent() == null ? null : PermissionRule.name(section.agent());
            return new PermissionRule(id, level, agent, tool, pattern, action, locked, null, "parley.yml");
        } catch (IllegalArgumentException e) {
            throw new ConfigException(path, String.valueOf(e.getMessage()), e);
        }
    }
}
