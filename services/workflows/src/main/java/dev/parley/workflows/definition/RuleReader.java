package dev.parley.workflows.definition;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads rules and the tasks that evaluate them. Accepts rules exported from Light-Fabric if they only decide; their
 * administrative fields are ignored.
 */
final class RuleReader {
    /** Members of a rule; required ones are marked with an exclamation mark. */
    private static final String[] MEMBERS = TaskReader.words(
            "!expression description message output conditionLanguage conditionSecurityProfile ruleId ruleName ruleDesc"
                    + " ruleType common version author updatedAt hostId");

    /** Unsupported members of Light-Fabric's rules, and what to use instead. */
    private static final Map<String, String> REFUSED = Map.of(
            "actions", "a rule has no actions; let a later task act on its answer",
            "conditions", "rows of conditions are not supported; write them as one 'expression'");

    private final DefinitionReader definition;
    private final Set<String> variables;

    /** @param variables visible to expressions of the task */
    RuleReader(DefinitionReader definition, Set<String> variables) {
        this.definition = definition;
        this.variables = variables;
    }

    /** The rules of {@code use.rules} by name. */
    static Map<String, Rule> rules(DefinitionReader definition, DefinitionNode part) {
        var rules = new LinkedHashMap<String, Rule>();
        if (part.isThere() && part.isObject(part.names().toArray(String[]::new))) {
            part.names().forEach(name -> rules.put(name, rule(definition, name, part.get(name))));
        }
        return rules;
    }

    private static Rule rule(DefinitionReader definition, String name, DefinitionNode part) {
        DefinitionNode bare = part;
        for (var refused : REFUSED.entrySet()) {
            if (part.has(refused.getKey())) {
                part.get(refused.getKey()).addProblem(refused.getValue());
                bare = bare.without(refused.getKey());
            }
        }
        bare.isObject(MEMBERS);
        part.get("ruleId")
                .optionalText()
                .filter(id -> !id.equals(name))
                .ifPresent(id -> part.get("ruleId").addProblem("'ruleId' is the name of the rule, " + name));
        boolean hasLanguage = part.has("conditionLanguage");
        part.get("conditionLanguage").oneOf(definition.language(), definition.language());
        part.get("conditionSecurityProfile").oneOf("strict", "strict", "standard", "internal-admin");
        return new Rule(
                name,
                definition.predicate(part.get("expression"), hasLanguage),
                part.has("message") ? definition.template(part.get("message"), DefinitionReader.VARIABLES) : null,
                part.has("output") ? definition.template(part.get("output"), DefinitionReader.VARIABLES) : null);
    }

    /** {@code call: rule}. */
    TaskKind call(DefinitionNode with) {
        return readAskRule(with, "rule");
    }

    /** The rule of an {@code assert}: a name, or an object with a name. */
    TaskKind.AskRule inAssertion(DefinitionNode part) {
        return readAskRule(part.wrapAs("name"), "name");
    }

    /** @param key the member with the name of the rule; Light-Fabric uses {@code ruleId} */
    private TaskKind.AskRule readAskRule(DefinitionNode part, String key) {
        boolean hasRuleId = part.has("ruleId") && !part.has(key);
        part.isObject(hasRuleId ? "!ruleId" : "!" + key, "input");
        DefinitionNode reference = part.get(hasRuleId ? "ruleId" : key);
        return new TaskKind.AskRule(
                reference.isThere() ? resolveRule(reference) : placeholder(""),
                part.has("input") ? definition.template(part.get("input"), variables) : null);
    }

    private Rule resolveRule(DefinitionNode reference) {
        String name = reference.text();
        Map<String, Rule> rules = definition.rules();
        Rule rule = rules.get(name);
        if (rule == null && !name.isEmpty()) {
            reference.addProblem("there is no rule '" + name + "' in use.rules"
                    + DefinitionNode.instead(name, List.copyOf(rules.keySet())));
        }
        return rule == null ? placeholder(name) : rule;
    }

    /** Placeholder of an unknown rule, so that further problems are found. */
    private static Rule placeholder(String name) {
        return new Rule(name, DefinitionReader.NOTHING, null, null);
    }
}
