package dev.parley.workflows.engine;

import dev.parley.workflows.definition.DataFlow;
import dev.parley.workflows.definition.Schema;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.ExpressionException;
import dev.parley.workflows.expression.Scope;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Input and context of a process in one decision, the data that its expressions see, and the transformation of outputs.
 */
final class ProcessDataFlow {
    /** Maximum weight of a task's data and of the context, in characters and items. */
    static final long MAX_WEIGHT = 1_000_000;

    private final Workflow workflow;
    private final ProcessState before;
    private final EngineContext engine;
    private Json input;
    private Json context;

    ProcessDataFlow(Workflow workflow, ProcessState state, EngineContext engine) {
        this.workflow = workflow;
        this.engine = engine;
        before = state;
        input = state.input();
        context = state.context();
    }

    Json input() {
        return input;
    }

    Json context() {
        return context;
    }

    void setContext(Json other) {
        context = other;
    }

    /**
     * Validates the raw input of a new process; it is its context until it is transformed.
     *
     * @throws ProcessMachine.InvalidInputException if it does not match the schema
     */
    void validateInput() {
        context = completeInput(before.rawInput());
    }

    /** The raw input with the defaults of its schema, if the dialect fills them in. */
    private Json completeInput(Json raw) {
        Schema schema = workflow.input().schema();
        if (schema == null) {
            return raw;
        }
        Json completed = workflow.evaluatesOnContext() ? schema.fillDefaults(raw) : raw;
        List<String> errors = schema.errors(completed);
        if (!errors.isEmpty()) {
            throw new ProcessMachine.InvalidInputException(String.join("; ", errors));
        }
        return completed;
    }

    /**
     * Transforms the validated input; the result is the context.
     *
     * @throws ExpressionException if the transformation fails
     */
    void transformInput() {
        Template transform = workflow.input().transform();
        input = transform == null ? context : transform.evaluate(scope(null, context, Locals.NONE, Map.of()));
        context = input;
    }

    /**
     * An output, transformed and checked.
     *
     * @param frame null outside of tasks
     */
    Json transformOutput(DataFlow data, Json output, @Nullable Frame frame, Locals locals, String pointer) {
        Template transform = data.transform();
        Json transformed = transform == null
                ? output
                : evaluateOrFail(
                        () -> transform.evaluate(scope(frame, output, locals, Map.of("output", () -> output))),
                        pointer);
        if (data.schema() != null) {
            check(data.schema().errors(transformed), "the output", pointer);
        }
        checkWeight(transformed, "the output", pointer);
        return transformed;
    }

    /** Exports an output to the context; returns whether the definition exports something. */
    boolean export(DataFlow data, Json output, Frame frame, Locals locals, String pointer) {
        Template transform = data.transform();
        if (transform == null) {
            return false;
        }
        Scope scope = workflow.evaluatesOnContext()
                ? new Scope(contextWith(locals).with("output", output), Map.of())
                : scope(frame, output, locals, Map.of("output", () -> output));
        Json exported = evaluateOrFail(() -> transform.evaluate(scope), pointer);
        Json changed = workflow.evaluatesOnContext() ? merge(context, exported.map()) : exported;
        if (data.schema() != null) {
            check(data.schema().errors(changed), "the context", pointer);
        }
        checkWeight(changed, "the context", pointer);
        context = changed;
        return true;
    }

    /** An object with the members of another. */
    static Json merge(Json object, Map<String, Json> members) {
        Json merged = object;
        for (var member : members.entrySet()) {
            merged = merged.with(member.getKey(), member.getValue());
        }
        return merged;
    }

    private static void checkWeight(Json value, String subject, String pointer) {
        if (value.weight() > MAX_WEIGHT) {
            throw new TaskFailure(Standard.RUNTIME.error(
                    subject + " has more than " + MAX_WEIGHT + " characters and items", pointer));
        }
    }

    static void check(List<String> errors, String subject, String pointer) {
        if (!errors.isEmpty()) {
            throw new TaskFailure(Standard.VALIDATION.error(
                    subject + " does not match its schema: " + String.join("; ", errors), pointer));
        }
    }

    /** The value of an expression; its failure fails the task. */
    <T> T evaluateOrFail(Supplier<T> value, String pointer) {
        try {
            return value.get();
        } catch (ExpressionException e) {
            throw new TaskFailure(Standard.EXPRESSION.error(String.valueOf(e.getMessage()), pointer));
        }
    }

    /**
     * The data visible to an expression.
     *
     * @param frame null outside of tasks
     */
    Scope scope(@Nullable Frame frame, Json data, Locals locals, Map<String, Supplier<Json>> additional) {
        if (workflow.evaluatesOnContext()) {
            return new Scope(contextWith(locals), Map.of());
        }
        var variables = new HashMap<String, Supplier<Json>>();
        variables.put("context", () -> context);
        variables.put("input", () -> frame == null ? input : frame.input());
        variables.put("now", () -> seconds(engine.now()));
        variables.put("workflow", this::workflowVariable);
        variables.put("runtime", () -> Json.of("name", Json.of("parley")).with("version", Json.of(engine.version())));
        if (frame != null) {
            variables.put("task", () -> taskVariable(frame, additional));
        }
        locals.variables().forEach((name, value) -> variables.put(name, () -> value));
        variables.putAll(additional);
        return new Scope(data, variables);
    }

    /** Data of Light-Fabric's expressions: the context, with the local variables. */
    Json contextWith(Locals locals) {
        return merge(context, locals.variables());
    }

    /** The variable {@code $workflow}. */
    private Json workflowVariable() {
        return Json.of("id", Json.of(before.id()))
                .with("definition", workflow.source())
                .with("input", before.rawInput())
                .with("startedAt", timestamp(before.startedAt()));
    }

    /** The variable {@code $task}: a task with the members of its definition. */
    private Json taskVariable(Frame frame, Map<String, Supplier<Json>> additional) {
        Json definition = JsonPointer.at(workflow.source(), frame.pointer());
        return definition
                .with("definition", definition)
                .with("name", Json.of(JsonPointer.name(frame.pointer())))
                .with("reference", Json.of(frame.pointer()))
                .with("input", frame.raw())
                .with(
                        "output",
                        additional.getOrDefault("output", () -> Values.NULL).get())
                .with("startedAt", timestamp(frame.startedAt()));
    }

    private static Json timestamp(Instant time) {
        return Json.of("iso8601", Json.of(time.toString()))
                .with(
                        "epoch",
                        Json.of("seconds", Json.of(time.getEpochSecond()))
                                .with("milliseconds", Json.of(time.toEpochMilli())));
    }

    private static Json seconds(Instant time) {
        return Json.of(time.getEpochSecond());
    }
}
