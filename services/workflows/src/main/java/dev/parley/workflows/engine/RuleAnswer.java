package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Rule;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.Scope;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Result of a rule.
 *
 * @param input the data that it was evaluated on
 * @param message why it does not hold, or null
 * @param output its output if it holds, or null
 */
record RuleAnswer(String rule, Json input, boolean passed, Json message, Json output) {
    /**
     * Evaluates a rule.
     *
     * @param looked what it is asked about where the task does not say
     * @throws TaskFailure when an expression fails, or the predicate is neither true nor false
     */
    static RuleAnswer of(Draft draft, TaskKind.AskRule ask, Frame frame, Locals locals, Json looked) {
        Template about = ask.input();
        Json input = about == null
                ? looked
                : draft.evaluated(
                        () -> about.evaluate(draft.scope(frame, frame.input(), locals, Map.of())), frame.pointer());
        Rule rule = ask.rule();
        Scope scope = draft.workflow().looksAtContext()
                ? new Scope(input, Map.of())
                : draft.scope(frame, input, Locals.NONE, Map.of());
        Json said = draft.evaluated(() -> rule.predicate().evaluate(scope), frame.pointer());
        if (!(said instanceof Json.Bool(boolean passed))) {
            throw new TaskFailure(Standard.EXPRESSION.error(
                    "the rule '" + rule.name() + "' is true or false, not " + ProcessMachine.brief(said),
                    frame.pointer()));
        }
        return new RuleAnswer(
                rule.name(),
                input,
                passed,
                passed ? Values.NULL : value(draft, rule.message(), scope, frame),
                passed ? value(draft, rule.output(), scope, frame) : Values.NULL);
    }

    private static Json value(Draft draft, @Nullable Template template, Scope scope, Frame frame) {
        return template == null ? Values.NULL : draft.evaluated(() -> template.evaluate(scope), frame.pointer());
    }

    /** {@code {"rule": …, "passed": …}}, with its message or output if there is one. */
    Json toJson() {
        Json.Obj json = Draft.object("rule", Json.of(rule), "passed", Json.of(passed));
        json = message.isNull() ? json : json.with("message", message);
        return output.isNull() ? json : json.with("output", output);
    }
}
