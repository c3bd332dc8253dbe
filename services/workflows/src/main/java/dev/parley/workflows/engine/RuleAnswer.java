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
 * @param input the data that the rule was evaluated on
 * @param message the reason if the rule does not hold, or null
 * @param output its output if the rule holds, or null
 */
record RuleAnswer(String rule, Json input, boolean passed, Json message, Json output) {
    /**
     * Evaluates a rule.
     *
     * @param data input of the rule if the task defines none
     * @throws TaskFailure if an expression fails, or the predicate is neither true nor false
     */
    static RuleAnswer of(TaskRun run, TaskKind.AskRule ask, Json data) {
        Json input = ask.input() == null ? data : run.evaluate(ask.input());
        Rule rule = ask.rule();
        Scope scope = run.draft().workflow().evaluatesOnContext()
                ? new Scope(input, Map.of())
                : run.draft().data().scope(run.frame(), input, Locals.NONE, Map.of());
        Json result = run.evaluateOrFail(() -> rule.predicate().evaluate(scope));
        if (!(result instanceof Json.Bool(boolean passed))) {
            throw new TaskFailure(run.error(
                    Standard.EXPRESSION,
                    "the rule '" + rule.name() + "' is true or false, not " + ProcessMachine.brief(result)));
        }
        return new RuleAnswer(
                rule.name(),
                input,
                passed,
                passed ? Values.NULL : value(run, rule.message(), scope),
                passed ? value(run, rule.output(), scope) : Values.NULL);
    }

    private static Json value(TaskRun run, @Nullable Template template, Scope scope) {
        return template == null ? Values.NULL : run.evaluateOrFail(() -> template.evaluate(scope));
    }

    /** {@code {"rule": …, "passed": …}}, with its message or output if there is one. */
    Json toJson() {
        Json.Obj json = Json.of("rule", Json.of(rule)).with("passed", Json.of(passed));
        json = message.isNull() ? json : json.with("message", message);
        return output.isNull() ? json : json.with("output", output);
    }
}
