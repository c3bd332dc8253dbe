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
    /** What its type is called: {@code set}, {@code call http}. */
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

    /** Tasks one after the other. */
    record Do(Block body) implements TaskKind {}

    /** Makes data. */
    record Set(Template data) implements TaskKind {}

    /** Chooses where to go on. */
    record Switch(List<Case> cases) implements TaskKind {}

    /** @param when null fits where no other case does */
    record Case(String name, @Nullable Expression when, String then) {}

    /** Tasks once for each item. */
    record For(
            String each, String at, Expression in, @Nullable Expression condition, Block body) implements TaskKind {}

    /** Tasks side by side. @param compete the first that is done wins */
    record Fork(List<Task> branches, boolean compete) implements TaskKind {}

    /** Tasks whose failures are caught. */
    record Try(Block body, Catch handler) implements TaskKind {}

    /**
     * What is caught, and what then.
     *
     * @param errors what a caught error has, by {@code type}, {@code status} and the like; empty fits all
     * @param as the variable of the error
     * @param body null where nothing is done about it
     */
    record Catch(
            Json errors,
            String as,
            @Nullable Expression when,
            @Nullable Expression exceptWhen,
            @Nullable RetryPolicy retry,
            @Nullable Block body) {}

    /** Fails. @param error {@code type}, {@code status}, {@code title}, {@code detail} */
    record Raise(Template error) implements TaskKind {}

    /** Waits for so long. */
    record Wait(DurationExpression time) implements TaskKind {}

    /** Publishes an event. */
    record Emit(Template event) implements TaskKind {}

    /**
     * Calls something outside.
     *
     * @param function {@code http}, {@code openapi}, {@code agent} and so on
     * @param onInvalidOutput where to go on when an agent's answer stays invalid; null fails
     */
    record Call(
            String function,
            Template with,
            @Nullable Schema outputSchema,
            @Nullable String onInvalidOutput,
            int invalidOutputRetries)
            implements TaskKind {}

    /**
     * Consumes messages of a channel, one after the other.
     *
     * @param with the call, without how long it goes on
     * @param amount so many messages at most; null as many as come
     * @param time for so long at most; null as long as it takes
     * @param filter which messages are meant; null all
     * @param condition looked at after each message: where it is false no more are consumed
     * @param until looked at before each message, and after its tasks: where it is true no more are consumed
     * @param foreach tasks for each message, and the names of the variables that expressions know it by
     * @param hasTasks false gives the messages as they are
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
        /** Most messages that one consumes. */
        public static final int MAX_MESSAGES = 1_000;
    }

    /** A task with tasks of extensions around it. @param inner the task without them */
    record Extended(List<Extension> extensions, Task inner) implements TaskKind {}

    /**
     * Tasks around others.
     *
     * @param extend the kind of task that it is around, or {@code all}
     * @param when null always
     * @param before tasks that run first; where they {@code exit}, they stand for the task
     */
    record Extension(
            String name,
            String extend,
            @Nullable Expression when,
            @Nullable Block before,
            @Nullable Block after) {
        /** Whether it is around tasks of this kind. */
        boolean isAround(TaskKind kind) {
            String type = kind.type().split(" ")[0];
            return List.of("all", type, kind instanceof Do ? "composite" : type).contains(extend);
        }
    }

    /** Calls a function that the definition has itself. @param with what its task gets as its input */
    record CallFunction(String function, Task task, Template with) implements TaskKind {}

    /** Asks a rule. @param input what it is asked about; null is what expressions of the task look at */
    record AskRule(Rule rule, @Nullable Template input) implements TaskKind {}

    /** Runs another workflow. @param await false goes on at once */
    record RunWorkflow(Template workflow, boolean await) implements TaskKind {}

    /**
     * Runs a script, a command or a container.
     *
     * @param process {@code script}, {@code shell} or {@code container}
     * @param await false goes on at once
     * @param result what of it is given: {@code stdout}, {@code stderr}, {@code code}, {@code all} or {@code none}
     */
    record RunProcess(String process, Template with, boolean await, String result) implements TaskKind {}

    /** Asks a person. */
    record Ask(Template question, @Nullable DurationExpression timeout) implements TaskKind {}

    /** Checks data, and fails where it is not as it should be. @param rule that has to hold as well; null none */
    record Assert(Template checks, @Nullable AskRule rule) implements TaskKind {}

    /**
     * Waits for events.
     *
     * @param until an expression over what the events gave, that ends it
     * @param untilEvents events that end it; they are no part of the output
     * @param foreach tasks for each event
     */
    record Listen(
            Events events,
            @Nullable Expression until,
            @Nullable Events untilEvents,
            Read read,
            @Nullable Foreach foreach)
            implements TaskKind {
        /** Types of events that may be meant, {@code *} where they may be of any. */
        public SortedSet<String> types() {
            var types = new TreeSet<String>(events.types());
            if (untilEvents != null) {
                types.addAll(untilEvents.types());
            }
            return types;
        }
    }

    /** Which events are waited for, and how many of them. */
    record Events(Strategy strategy, List<Filter> filters) {
        /** Stands for every type. */
        public static final String EVERY = "*";

        /** Their types, {@value #EVERY} where they may be of any. */
        public SortedSet<String> types() {
            var types = new TreeSet<String>();
            filters.forEach(filter -> types.add(
                    filter.with().get("type") instanceof Template.Fixed(Json.Str(String type)) ? type : EVERY));
            return types.isEmpty() ? new TreeSet<>(List.of(EVERY)) : types;
        }
    }

    /** How many of the events are waited for. */
    enum Strategy {
        ONE,
        ANY,
        ALL
    }

    /** What of an event is taken. */
    enum Read {
        DATA,
        ENVELOPE
    }

    /**
     * Which events are meant.
     *
     * @param with attributes that an event has; expressions look at its value
     * @param correlate expressions that take something out of it, and what that has to be
     */
    record Filter(Map<String, Template> with, Map<String, Correlation> correlate) {}

    /** @param expect null takes what the first event has */
    record Correlation(Expression from, @Nullable Template expect) {}

    /** Tasks for each event. */
    record Foreach(String item, String at, Block body, DataFlow output, DataFlow export) {}
}
