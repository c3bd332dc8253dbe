package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * JSON encoding of the state of a process in the state store. Null members are omitted, so that newer builds can add members.
 */
public final class StateJson {
    private StateJson() {}

    /** Writes a state. */
    public static String write(ProcessState state) {
        var json = new Members()
                .put("id", Json.of(state.id()))
                .put("workflow", Json.of(state.workflow()))
                .put("phase", Json.of(state.phase().name()))
                .put("rawInput", state.rawInput())
                .put("input", state.input())
                .put("context", state.context())
                .put("output", state.output())
                .put("error", state.error(), WorkflowError::toJson)
                .put("startedAt", time(state.startedAt()))
                .put("completedAt", state.completedAt(), StateJson::time)
                .put("deadline", state.deadline(), StateJson::time)
                .put("body", state.body(), StateJson::work)
                .put("order", Json.of(state.order()))
                .put("suspended", Json.of(state.suspended()));
        return json.json().toString();
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static ProcessState read(String text) {
        Json json = JsonText.read(text);
        return new ProcessState(
                json.get("id").display(),
                json.get("workflow").display(),
                Phase.valueOf(json.get("phase").display()),
                json.get("rawInput"),
                json.get("input"),
                json.get("context"),
                json.get("output"),
                read(json, "error", WorkflowError::of),
                time(json.get("startedAt")),
                read(json, "completedAt", StateJson::time),
                read(json, "deadline", StateJson::time),
                read(json, "body", StateJson::work),
                number(json.get("order")),
                json.get("suspended").isTruthy());
    }

    private static Json frame(Frame frame) {
        return new Members()
                .put("pointer", Json.of(frame.pointer()))
                .put("order", Json.of(frame.order()))
                .put("path", frame.path().equals(frame.pointer()) ? Values.NULL : Json.of(frame.path()))
                .put("attempt", Json.of(frame.attempt()))
                .put("raw", frame.raw())
                .put("input", frame.input().equals(frame.raw()) ? null : frame.input(), json -> Json.of(List.of(json)))
                .put("startedAt", time(frame.startedAt()))
                .put("since", frame.since().equals(frame.startedAt()) ? null : frame.since(), StateJson::time)
                .put("deadline", frame.deadline(), StateJson::time)
                .put("work", work(frame.work()))
                .json();
    }

    private static Frame frame(Json json) {
        String pointer = json.get("pointer").display();
        Json raw = json.get("raw");
        List<Json> input = json.get("input").list();
        return new Frame(
                pointer,
                number(json.get("order")),
                json.get("path").text().orElse(pointer),
                (int) number(json.get("attempt")),
                raw,
                input.isEmpty() ? raw : input.getFirst(),
                time(json.get("startedAt")),
                time(json.get("since").isNull() ? json.get("startedAt") : json.get("since")),
                read(json, "deadline", StateJson::time),
                work(json.get("work")));
    }

    private static Json work(Frame.Work work) {
        return switch (work) {
            case Frame.Calling(String key, int tried) ->
                new Members("calling")
                        .put("key", Json.of(key))
                        .put("tried", Json.of(tried))
                        .json();
            case Frame.Sleeping(Instant until) ->
                new Members("sleeping").put("until", time(until)).json();
            case Frame.Asking(Json question) ->
                new Members("asking").put("question", question).json();
            case Frame.Listening listening ->
                new Members("listening")
                        .put("outputs", Json.of(listening.outputs()))
                        .put("heard", numbers(listening.heard()))
                        .put("until", numbers(listening.until()))
                        .put("correlated", listening.correlated())
                        .put("queue", Json.of(listening.queue()))
                        .put("body", listening.body(), StateJson::work)
                        .put("closed", Json.of(listening.closed()))
                        .json();
            case Frame.Subscribing subscribing ->
                new Members("subscribing")
                        .put("key", subscribing.key(), Json::of)
                        .put("round", Json.of(subscribing.round()))
                        .put("cursor", subscribing.cursor(), Function.identity())
                        .put("until", subscribing.until(), StateJson::time)
                        .put("outputs", Json.of(subscribing.outputs()))
                        .put("queue", Json.of(subscribing.queue()))
                        .put("body", subscribing.body(), StateJson::work)
                        .put("closed", Json.of(subscribing.closed()))
                        .json();
            case Frame.Sequence sequence ->
                new Members("sequence")
                        .put("index", Json.of(sequence.index()))
                        .put("lap", Json.of(sequence.lap()))
                        .put("task", frame(sequence.task()))
                        .json();
            case Frame.Yielded yielded ->
                new Members("yielded")
                        .put("index", Json.of(yielded.index()))
                        .put("lap", Json.of(yielded.lap()))
                        .put("input", yielded.input())
                        .json();
            case Frame.Looping looping ->
                new Members("looping")
                        .put("items", Json.of(looping.items()))
                        .put("index", Json.of(looping.index()))
                        .put("body", work(looping.body()))
                        .json();
            case Frame.Forking(List<Frame.Branch> branches) ->
                new Members("forking")
                        .put(
                                "branches",
                                Json.of(branches.stream().map(StateJson::branch).toList()))
                        .json();
            case Frame.Trying trying ->
                new Members("trying")
                        .put("retries", Json.of(trying.retries()))
                        .put("since", trying.since(), StateJson::time)
                        .put("until", trying.until(), StateJson::time)
                        .put("body", work(trying.body()))
                        .json();
            case Frame.Retrying retrying ->
                new Members("retrying")
                        .put("retries", Json.of(retrying.retries()))
                        .put("since", time(retrying.since()))
                        .put("until", time(retrying.until()))
                        .put("error", retrying.error().toJson())
                        .json();
            case Frame.Catching catching ->
                new Members("catching")
                        .put("error", catching.error().toJson())
                        .put("body", work(catching.body()))
                        .json();
            case Frame.Function(Frame task) ->
                new Members("function").put("task", frame(task)).json();
            case Frame.Extending extending ->
                new Members("extending")
                        .put("stage", Json.of(extending.stage()))
                        .put("body", work(extending.body()))
                        .put("output", extending.output(), json -> Json.of(List.of(json)))
                        .json();
            case Frame.Broken(WorkflowError error) ->
                new Members("broken").put("error", error.toJson()).json();
            case Frame.RetryingTask again ->
                new Members("again")
                        .put("since", time(again.since()))
                        .put("until", time(again.until()))
                        .put("error", again.error().toJson())
                        .json();
        };
    }

    private static Frame.Work work(Json json) {
        return switch (json.get("is").display()) {
            case "calling" -> new Frame.Calling(json.get("key").display(), (int) number(json.get("tried")));
            case "sleeping" -> new Frame.Sleeping(time(json.get("until")));
            case "asking" -> new Frame.Asking(json.get("question"));
            case "listening" ->
                new Frame.Listening(
                        json.get("outputs").list(),
                        numbers(json.get("heard")),
                        numbers(json.get("until")),
                        json.get("correlated"),
                        json.get("queue").list(),
                        read(json, "body", StateJson::work),
                        json.get("closed").isTruthy());
            case "subscribing" ->
                new Frame.Subscribing(
                        read(json, "key", Json::display),
                        (int) number(json.get("round")),
                        read(json, "cursor", Function.identity()),
                        read(json, "until", StateJson::time),
                        json.get("outputs").list(),
                        json.get("queue").list(),
                        read(json, "body", StateJson::work),
                        json.get("closed").isTruthy());
            case "sequence" ->
                new Frame.Sequence(
                        (int) number(json.get("index")), (int) number(json.get("lap")), frame(json.get("task")));
            case "yielded" ->
                new Frame.Yielded((int) number(json.get("index")), (int) number(json.get("lap")), json.get("input"));
            case "looping" ->
                new Frame.Looping(json.get("items").list(), (int) number(json.get("index")), work(json.get("body")));
            case "forking" ->
                new Frame.Forking(json.get("branches").list().stream()
                        .map(StateJson::branch)
                        .toList());
            case "trying" ->
                new Frame.Trying(
                        (int) number(json.get("retries")),
                        read(json, "since", StateJson::time),
                        read(json, "until", StateJson::time),
                        work(json.get("body")));
            case "retrying" ->
                new Frame.Retrying(
                        (int) number(json.get("retries")),
                        time(json.get("since")),
                        time(json.get("until")),
                        WorkflowError.of(json.get("error")));
            case "catching" -> new Frame.Catching(WorkflowError.of(json.get("error")), work(json.get("body")));
            case "function" -> new Frame.Function(frame(json.get("task")));
            case "extending" -> {
                List<Json> output = json.get("output").list();
                yield new Frame.Extending(
                        (int) number(json.get("stage")),
                        work(json.get("body")),
                        output.isEmpty() ? null : output.getFirst());
            }
            case "again" ->
                new Frame.RetryingTask(
                        time(json.get("since")), time(json.get("until")), WorkflowError.of(json.get("error")));
            case "broken" -> new Frame.Broken(WorkflowError.of(json.get("error")));
            default -> throw new IllegalArgumentException("'" + json.get("is").display() + "' is no work of a task");
        };
    }

    private static Json branch(Frame.Branch branch) {
        return new Members()
                .put("running", branch.running(), StateJson::frame)
                .put("output", branch.output(), json -> Json.of(List.of(json)))
                .put("error", branch.error(), WorkflowError::toJson)
                .json();
    }

    private static Frame.Branch branch(Json json) {
        List<Json> output = json.get("output").list();
        return new Frame.Branch(
                read(json, "running", StateJson::frame),
                output.isEmpty() ? null : output.getFirst(),
                read(json, "error", WorkflowError::of));
    }

    private static Json numbers(List<Integer> numbers) {
        return Json.of(numbers.stream().map(Json::of).toList());
    }

    private static List<Integer> numbers(Json json) {
        return json.list().stream().map(one -> (int) number(one)).toList();
    }

    private static Json time(Instant time) {
        return Json.of(time.toString());
    }

    private static Instant time(Json json) {
        return Instant.parse(json.display());
    }

    private static long number(Json json) {
        if (json instanceof Json.Num(BigDecimal number)) {
            return number.longValueExact();
        }
        throw new IllegalArgumentException(json + " is no number");
    }

    private static <T> @Nullable T read(Json json, String name, Function<Json, T> value) {
        Json member = json.get(name);
        return member.isNull() ? null : Objects.requireNonNull(value.apply(member));
    }

    /** Members of an object while it is made; null is left out. */
    private static final class Members {
        private final LinkedHashMap<String, Json> members = new LinkedHashMap<>();

        Members() {}

        Members(String is) {
            members.put("is", Json.of(is));
        }

        Members put(String name, Json value) {
            if (!value.isNull()) {
                members.put(name, value);
            }
            return this;
        }

        <T> Members put(String name, @Nullable T value, Function<T, Json> json) {
            if (value != null) {
                members.put(name, json.apply(value));
            }
            return this;
        }

        Json json() {
            return Json.of(new LinkedHashMap<>(members));
        }
    }
}
