package dev.parley.control.permissions;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.http.Checks;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.Decision;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.Permissions;
import dev.parley.domain.permission.Subject;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decision for a tool call, with its reason.
 *
 * @param action Decision: allow, ask or deny.
 * @param values Values of the call's subject, each with the rules that apply to it; the first rule decides.
 */
@Serdeable
@Schema(name = "PermissionEvaluation")
record Evaluation(
        String action,

        @Schema(description = "Rule that decides; null if no rule applies.") @Nullable
        RuleJson rule,

        List<Value> values) {

    /**
     * A tool call to evaluate.
     *
     * @param agent Name of the agent that makes the call. Defaults to the agent default.
     * @param tool Name of the tool.
     * @param value Subject of the call, if rules check one: a path, a URL or a command.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "EvaluatePermission")
    record Question(
            @Nullable String agent,
            @Nullable String tool,
            @Nullable String value) {}

    /** A value of the call's subject. */
    @Serdeable
    @Schema(name = "EvaluatedValue")
    record Value(String value, List<RuleJson> rules) {}

    /** The decision of a session without rules of its own. */
    static Evaluation of(Question question, Definitions definitions, Instant now) {
        String tool = Checks.requireText("tool", question.tool(), 126);
        String agent = Objects.requireNonNullElse(Checks.optional("agent", question.agent(), 126), Agent.DEFAULT);
        List<PermissionRule> rules = definitions.permissions();
        var call = new Permissions.Call(
                agent, tool, access(tool, definitions).category(), subject(tool, question.value(), definitions));
        Decision decision = Permissions.decide(rules, call, now);
        RuleJson winner = rules.stream()
                .filter(rule -> rule.id().equals(decision.rule()))
                .findFirst()
                .map(RuleJson::of)
                .orElse(null);
        List<Value> values = Stream.concat(
                        call.subject().values().stream(),
                        call.subject().hidden().stream()
                                .filter(value -> !Permissions.matchingRules(rules, call, value, now)
                                        .isEmpty()))
                .map(value -> new Value(
                        value,
                        Permissions.matchingRules(rules, call, value, now).stream()
                                .map(RuleJson::of)
                                .toList()))
                .toList();
        return new Evaluation(decision.action().code(), winner, values);
    }

    private static ToolAccess access(String tool, Definitions definitions) {
        return definitions.tool(tool).map(ToolSpec::access).orElse(ToolAccess.EXECUTE);
    }

    private static Subject subject(String tool, @Nullable String value, Definitions definitions) {
        try {
            return definitions
                    .tool(tool)
                    .map(spec -> spec.subject(Objects.requireNonNullElse(value, "")))
                    .orElse(Subject.NONE);
        } catch (IllegalArgumentException e) {
            throw Checks.invalid("value", String.valueOf(e.getMessage()));
        }
    }
}
