package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The kind of a task, with its settings. */
public sealed interface TaskKind {
    /** Name of the type: {@code set}, {@code call http}. */
    default String type() {
        return switch (this) {
            case Do _ -> "do";
            case Set _ -> "set";
            case Switch _ -> "switch";
            case For _ -> "for";
            case Fork _ -> "fork";
            case Try _ -> "try";
            case Raise _ -> "raise";
            case Wait _ -> "wait";
            case Emit _ -> "emit";
            case Call call -> "call " + call.function();
            case Subscribe _ -> "call asyncapi";
            case Extended extended -> extended.inner().kind().type();
            case CallFunction call -> "call " + call.function();
            case AskRule _ -> "call rule";
            case RunWorkflow _ -> "run workflow";
            case RunProcess run -> "run " + run.process();
            case Ask _ -> "ask";
            case Assert _ -> "assert";
            case Listen _ -> "listen";
        };
    }

    /** Runs tasks in sequence. */
    record Do(TaskBlock body) implements TaskKind {}

    /** Sets its output. */
    record Set(Template data) implements TaskKind {}

    /** Branches to another task. */
    record Switch(List<Case> cases) implements TaskKind {}

    /** @param when null for the default case */
    record Case(String name, @Nullable Expression when, String then) {}

    /** Runs tasks for each item of a list. */
    record For(
            String each, String at, Expression in, @Nullable Expression condition, TaskBlock body)
            implements TaskKind {}

    /**
     * Runs branches in parallel.
     *
     * @param compete the first completed branch wins
     */
    record Fork(List<Task> branches, boolean compete) implements TaskKind {}

    /** Runs tasks and catches their errors. */
    record Try(TaskBlock body, Catch handler) implements TaskKind {}

    /**
     * Error handler of a {@code try} task.
     *
     * @param errors required members of a caught error, such as {@code type} and {@code status}; empty for all errors
     * @param as the variable of the error
     * @param body null for no tasks
     */
    record Catch(
            Json errors,
            String as,
            @Nullable Expression when,
            @Nullable Expression exceptWhen,
            @Nullable RetryPolicy retry,
            @Nullable TaskBlock body) {}

    /**
     * Raises an error.
     *
     * @param error {@code type}, {@code status}, {@code title}, {@code detail}
     */
    record Raise(Template error) implements TaskKind {}

    /** Waits for a duration. */
    record Wait(DurationExpression time) implements TaskKind {}

    /** Publishes an event. */
    record Emit(Template event) implements TaskKind {}

    /**
     * Calls an external function.
     *
     * @param function {@code http}, {@code openapi}, {@code agent} and so on
     * @param onInvalidOutput next task if an agent's answer stays invalid; null to fail
     */
    record Call(
            String function,
            Template with,
            @Nullable Schema outputSchema,
            @Nullable String onInvalidOutput,
            int invalidOutputRetries)
            implements TaskKind {}

    /**
     * Consumes the messages of a channel one by one.
     *
     * @param with the arguments of the call, without the lifetime
     * @param amount maximum number of messages; null for no limit
     * @param time maximum duration; null for no limit
     * @param filter null for all messages
     * @param condition evaluated after each message; false ends the subscription
     * @param until evaluated before each message and after its tasks; true ends the subscription
     * @param foreach tasks for each message, and the names of its variables
     * @param hasTasks false outputs the messages unchanged
     */
    record Subscribe(
            Template with,
            @Nullable Integer amount,
            @Nullable DurationExpression time,
            @Nullable Expression filter,
            @Nullable Expression condition,
            @Nullable Expression until,
            Foreach foreach,
            boolean hasTasks)
            implements TaskKind {
        /** Maximum number of messages of one subscription. */
        public static final int MAX_MESSAGES = 1_000;
    }

    /**
     * A task wrapped in extensions.
     *
     * @param inner the task without them
     */
    record Extended(List<Extension> extensions, Task inner) implements TaskKind {}

    /**
     * Tasks that run before and after other tasks.
     *
     * @param extend the kind of extended tasks, or {@code all}
     * @param when null for always
     * @param before tasks that run first; if they {@code exit}, they replace the task
     */
    record Extension(
            String name,
            String extend,
            @Nullable Expression when,
            @Nullable TaskBlock before,
            @Nullable TaskBlock after) {
        /** Whether the extension applies to tasks of this kind. */
        boolean isAround(TaskKind kind) {
            String type = kind.type().split(" ")[0];
            return List.of("all", type, kind instanceof Do ? "composite" : type).contains(extend);
        }
    }

    /**
     * Calls a function of the definition.
     *
     * @param with the input of the function's task
     */
    record CallFunction(String function, Task task, Template with) implements TaskKind {}

    /**
     * Evaluates a rule.
     *
     * @param input the data of the rule; null for the data of the task's expressions
     */
    record AskRule(Rule rule, @Nullable Template input) implements TaskKind {}

    /**
     * Runs a child workflow.
     *
     * @param await false to continue at once
     */
    record RunWorkflow(Template workflow, boolean await) implements TaskKind {}

    /**
     * Runs a script, a command or a container.
     *
     * @param process {@code script}, {@code shell} or {@code container}
     * @param await false to continue at once
     * @param result its output: {@code stdout}, {@code stderr}, {@code code}, {@code all} or {@code none}
     */
    record RunProcess(String process, Template with, boolean await, String result) implements TaskKind {}

    /** Asks a person. */
    record Ask(Template question, @Nullable DurationExpression timeout) implements TaskKind {}

    /**
     * Checks data and fails if a check does not hold.
     *
     * @param rule an additional rule, or null
     */
    record Assert(Template checks, @Nullable AskRule rule) implements TaskKind {}

    /**
     * Listens for events.
     *
     * @param until a condition on the outputs that ends listening
     * @param untilEvents events that end listening; not part of the output
     * @param foreach tasks for each event
     */
    record Listen(
            Events events,
            @Nullable Expression until,
            @Nullable Events untilEvents,
            Read read,
            @Nullable Foreach foreach)
            implements TaskKind {
        /** Types of matching events, {@code *} for any type. */
        public SortedSet<String> types() {
            var types = new TreeSet<String>(events.types());
            if (untilEvents != null) {
                types.addAll(untilEvents.types());
            }
            return types;
        }
    }

    /** Filters of events, and the number of filters that must match. */
    record Events(Strategy strategy, List<Filter> filters) {
        /** Any type. */
        public static final String EVERY = "*";

        /** Types of matching events, {@value #EVERY} for any type. */
        public SortedSet<String> types() {
            var types = new TreeSet<String>();
            filters.forEach(filter -> types.add(
                    filter.with().get("type") instanceof Template.Fixed(Json.Str(String type)) ? type : EVERY));
            return types.isEmpty() ? new TreeSet<>(List.of(EVERY)) : types;
        }
    }

    /** Number of filters that must match. */
    enum Strategy {
        ONE,
        ANY,
        ALL
    }

    /** The part of an event in the output. */
    enum Read {
        DATA,
        ENVELOPE
    }

    /**
     * Filter of events.
     *
     * @param with required attributes; expressions are evaluated on the attribute's value
     * @param correlate expressions on the event, and their expected values
     */
    record Filter(Map<String, Template> with, Map<String, Correlation> correlate) {}

    /** @param expect null for the value of the first event */
    record Correlation(Expression from, @Nullable Template expect) {}

    /** Tasks for each event. */
    record Foreach(String item, String at, TaskBlock body, DataFlow output, DataFlow export) {}
}
