package dev.parley.platform.config;

import dev.parley.domain.Ids;
import dev.parley.domain.document.Fault;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleDocument;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.InvalidDocumentException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the rules about tool calls of {@code parley.yml}. The same rule has the same id at each start. */
final class PermissionReader {
    private static final Document<RuleDocument> RULE = Document.of(RuleDocument.class);

    private PermissionReader() {}

    static List<PermissionRule> permissions(@Nullable List<@Nullable Object> documents) {
        var rules = new ArrayList<PermissionRule>();
        for (@Nullable Object document : documents == null ? List.<@Nullable Object>of() : documents) {
            rules.add(rule("permissions[" + rules.size() + "]", document));
        }
        return rules;
    }

    private static PermissionRule rule(String path, @Nullable Object document) {
        try {
            RuleDocument rule = RULE.read(document);
            if (rule.expires() != null) {
                throw ConfigException.of(path, List.of(new Fault("expiresAt", "is not for rules of a file")));
            }
            return rule.rule(
                    Ids.of(
                            "permission",
                            "config",
                            String.valueOf(rule.agent()),
                            rule.tool(),
                            rule.pattern(),
                            rule.action(),
                            rule.locked()),
                    rule.agent() == null ? RuleLevel.INSTALLATION : RuleLevel.AGENT,
                    "parley.yml");
        } catch (InvalidDocumentException e) {
            throw ConfigException.of(path, e.faults());
        }
    }
}
