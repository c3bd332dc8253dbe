package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.Block;
import dev.parley.workflows.definition.DurationExpression;
import dev.parley.workflows.definition.RetryPolicy;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.Outcome.Done;
import dev.parley.workflows.engine.Outcome.Failed;
import dev.parley.workflows.engine.Outcome.Running;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Behaviour of each kind of task: begin, resume, time out, stop.
 *
 * <p>It is long because all kinds are in one place, each in a few lines.
 */
final class TaskKinds {
    private static final Duration MAX_DELAY = Duration.ofDays(30);

    private final Draft draft;

    TaskKinds(Draft draft) {
        this.draft = draft;
    }

    // ---- begin

    Outcome<Frame.Work> begin(Task task, Frame frame, Locals locals) {
        return switch (task.kind()) {
            case TaskKind.Set set -> done(draft.evaluate(set.data(), task, frame, frame.input(), locals));
            case TaskKind.Do(Block body) ->
                Draft.outside(draft.block(body, frame.input(), locals, frame.path() + "/do"));
            case TaskKind.Switch(List<TaskKind.Case> cases) -> choose(cases, task, frame, locals);
            case TaskKind.For loop -> loop(loop, task, frame, locals);
            case TaskKind.Fork fork -> fork(fork, frame, locals);
            case TaskKind.Try attempt -> attempt(attempt, task, frame, locals, 0, null);
            case TaskKind.Raise raise -> raise(raise, task, frame, locals);
            case TaskKind.Wait(DurationExpression time) ->
                new Running<>(new Frame.Sleeping(draft.now().plus(length(time, task, frame, locals))));
            case TaskKind.Emit emit -> emit(emit, task, frame, locals);
            case TaskKind.Call call -> call(call, task, frame, locals, 0);
            case TaskKind.CallFunction call -> {
                Json with = draft.evaluate(call.with(), task, frame, frame.input(), locals);
                Json given = with.isNull() ? frame.input() : with;
                yield function(draft.enter(call.task(), given, locals, frame.path() + "/call"));
            }
            case TaskKind.Extended extended -> new ExtendedTask(draft, this, extended, task, frame, locals).begin();
            case TaskKind.RunWorkflow child -> {
                Json with = draft.evaluate(child.workflow(), task, frame, frame.input(), locals);
                yield started("workflow", with, child.await(), task, frame, locals);
            }
            case TaskKind.RunProcess process -> {
                Json with = draft.evaluate(process.with(), task, frame, frame.input(), locals)
                        .with("return", Json.of(process.result()));
                yield started(process.process(), with, process.await(), task, frame, locals);
            }
            case TaskKind.Ask ask -> ask(ask, task, frame, locals);
            case TaskKind.AskRule ask ->
                done(RuleAnswer.of(draft, ask, frame, locals, looked(frame, locals))
                        .toJson());
            case TaskKind.Assert check -> check(check, task, frame, locals);
            case TaskKind.Subscribe subscribe -> new Subscriber(draft, this, subscribe, task, frame, locals).begin();
            case TaskKind.Listen listen -> {
                draft.effect(new Effect.Listen(frame.order(), frame.pointer(), listen.types()));
                yield new Running<>(Frame.Listening.BEGUN);
            }
        };
    }

    private static Outcome<Frame.Work> function(Outcome<Frame> outcome) {
        return Draft.outside(Draft.at(outcome, Frame.Function::new));
    }

    private static Outcome<Frame.Work> done(Json output) {
        return new Done<>(output, Outcome.AS_IT_SAYS);
    }

    private Outcome<Frame.Work> choose(List<TaskKind.Case> cases, Task task, Frame frame, Locals locals) {
        String otherwise = Outcome.AS_IT_SAYS;
        for (TaskKind.Case one : cases) {
            if (one.when() == null) {
                otherwise = one.then();
            } else if (draft.evaluate(one.when(), task, frame, frame.input(), locals)
                    .isTruthy()) {
                return new Done<>(frame.input(), one.then());
            }
        }
        return new Done<>(frame.input(), otherwise);
    }

    private Outcome<Frame.Work> raise(TaskKind.Raise raise, Task task, Frame frame, Locals locals) {
        Json error = draft.evaluate(raise.error(), task, frame, frame.input(), locals);
        return new Failed<>(WorkflowError.of(error.with("instance", Json.of(task.pointer()))));
    }

    private Outcome<Frame.Work> check(TaskKind.Assert check, Task task, Frame frame, Locals locals) {
        Json checks = draft.evaluate(check.checks(), task, frame, frame.input(), locals);
        Json value = checks.map().containsKey("value") ? checks.get("value") : looked(frame, locals);
        RuleAnswer rule = check.rule() == null ? null : RuleAnswer.of(draft, check.rule(), frame, locals, value);
        return done(Assertion.check(checks, value, rule, task.pointer()));
    }

    private Outcome<Frame.Work> emit(TaskKind.Emit emit, Task task, Frame frame, Locals locals) {
        Json event = draft.evaluate(emit.event(), task, frame, frame.input(), locals);
        String id = UUID.nameUUIDFromBytes((draft.id() + ":" + frame.order()).getBytes(StandardCharsets.UTF_8))
                .toString();
        Json whole = Draft.object(
                "specversion",
                Json.of("1.0"),
                "id",
                Json.of(id),
                "time",
                Json.of(draft.now().toString()));
        for (var attribute : event.map().entrySet()) {
            whole = whole.with(attribute.getKey(), attribute.getValue());
        }
        draft.effect(new Effect.Emit(whole));
        return done(whole);
    }

    private Outcome<Frame.Work> ask(TaskKind.Ask ask, Task task, Frame frame, Locals locals) {
        Json question = draft.evaluate(ask.question(), task, frame, frame.input(), locals);
        draft.effect(new Effect.Ask(frame.order(), task.name(), question, frame.deadline()));
        return new Running<>(new Frame.Asking(question));
    }

    // ---- calls

    private Outcome<Frame.Work> call(TaskKind.Call call, Task task, Frame frame, Locals locals, int tried) {
        Json with = draft.evaluate(call.with(), task, frame, frame.input(), locals);
        if (call.function().equals("http")) {
            Json endpoint = UriTemplate.expanded(with.get("endpoint"), looked(frame, locals), task.pointer());
            with = with.with("endpoint", endpoint);
        }
        return request(call.function(), with, task, frame, locals, tried);
    }

    /** The value of {@code .} in expressions of a task. */
    private Json looked(Frame frame, Locals locals) {
        return draft.workflow().looksAtContext() ? draft.shared(locals) : frame.input();
    }

    private Outcome<Frame.Work> request(
            String function, Json arguments, Task task, Frame frame, Locals locals, int tried) {
        String key = draft.id() + ":" + frame.order() + (tried == 0 ? "" : ":" + tried);
        ask(key, function, arguments, task, frame, locals);
        return new Running<>(new Frame.Calling(key, tried));
    }

    /** Requests a call. @param key identifies its result */
    void ask(String key, String function, Json arguments, Task task, Frame frame, Locals locals) {
        draft.effect(new Effect.Call(
                key,
                frame.order(),
                task.name(),
                function,
                arguments,
                idempotencyKey(task, frame, locals),
                frame.deadline() == null ? null : Duration.between(draft.now(), frame.deadline())));
    }

    /** The idempotency key of a task, the same for all attempts. */
    private String idempotencyKey(Task task, Frame frame, Locals locals) {
        return task.idempotencyKey() == null
                ? draft.id() + ":" + frame.path()
                : draft.evaluate(task.idempotencyKey(), task, frame, frame.input(), locals)
                        .display();
    }

    /** Starts a workflow or process. @param await false to continue at once with the input */
    private Outcome<Frame.Work> started(
            String function, Json arguments, boolean await, Task task, Frame frame, Locals locals) {
        Outcome<Frame.Work> asked = request(function, arguments, task, frame, locals, 0);
        return await ? asked : done(frame.input());
    }

    private Outcome<Frame.Work> answered(
            Frame.Calling calling, ProcessInput.Result result, Task task, Frame frame, Locals locals) {
        if (!result.key().equals(calling.key())) {
            return new Running<>(calling);
        }
        if (result.error() != null) {
            return new Failed<>(result.error().at(task.pointer()));
        }
        if (!(task.kind() instanceof TaskKind.Call call) || call.outputSchema() == null) {
            return done(result.output());
        }
        List<String> errors = call.outputSchema().errors(result.output());
        if (errors.isEmpty()) {
            return done(result.output());
        }
        if (calling.tried() < call.invalidOutputRetries()) {
            return call(call, task, frame, locals, calling.tried() + 1);
        }
        if (call.onInvalidOutput() != null) {
            return new Done<>(result.output(), call.onInvalidOutput());
        }
        Draft.check(errors, "the answer", task.pointer());
        return done(result.output());
    }

    // ---- loops

    private Outcome<Frame.Work> loop(TaskKind.For loop, Task task, Frame frame, Locals locals) {
        Json in = draft.evaluate(loop.in(), task, frame, frame.input(), locals);
        if (!(in instanceof Json.Arr(List<Json> items))) {
            throw new TaskFailure(Standard.EXPRESSION.error("'for.in' is a list, not " + in.type(), task.pointer()));
        }
        return rounds(loop, task, frame, locals, items, 0, frame.input());
    }

    /** Continues the loop at this item. */
    private Outcome<Frame.Work> rounds(
            TaskKind.For loop, Task task, Frame frame, Locals locals, List<Json> items, int from, Json data) {
        Json at = data;
        for (int index = from; index < items.size(); index++) {
            Locals inner = inRound(loop, locals, items, index);
            if (loop.condition() != null
                    && !draft.evaluate(loop.condition(), task, frame, at, inner).isTruthy()) {
                break;
            }
            int round = index;
            Outcome<Frame.Work> outcome = draft.block(loop.body(), at, inner, path(frame, index));
            switch (outcome) {
                case Running<Frame.Work> _, Failed<Frame.Work> _ -> {
                    return Draft.at(outcome, body -> new Frame.Looping(items, round, body));
                }
                case Done<Frame.Work>(Json output, String then) -> {
                    if (then.equals(Task.END)) {
                        return new Done<>(output, then);
                    }
                    at = output;
                }
            }
        }
        return done(at);
    }

    private static Locals inRound(TaskKind.For loop, Locals locals, List<Json> items, int index) {
        return locals.with(loop.each(), items.get(index)).with(loop.at(), Json.of(index));
    }

    private static String path(Frame frame, int round) {
        return frame.path() + "#" + round + "/do";
    }

    private Outcome<Frame.Work> looped(
            TaskKind.For loop, Frame.Looping at, Task task, Frame frame, ProcessInput signal, Locals locals) {
        Locals inner = inRound(loop, locals, at.items(), at.index());
        Outcome<Frame.Work> outcome = draft.resume(loop.body(), at.body(), signal, inner, path(frame, at.index()));
        return switch (outcome) {
            case Running<Frame.Work> _, Failed<Frame.Work> _ ->
                Draft.at(outcome, body -> new Frame.Looping(at.items(), at.index(), body));
            case Done<Frame.Work>(Json output, String then) ->
                then.equals(Task.END)
                        ? new Done<>(output, then)
                        : rounds(loop, task, frame, locals, at.items(), at.index() + 1, output);
        };
    }

    // ---- branches

    private Outcome<Frame.Work> fork(TaskKind.Fork fork, Frame frame, Locals locals) {
        var branches = new ArrayList<Frame.Branch>();
        for (int i = 0; i < fork.branches().size(); i++) {
            Task branch = fork.branches().get(i);
            String path = JsonPointer.child(frame.path() + "/fork/branches/" + i, branch.name());
            Outcome<Frame> outcome = draft.enter(branch, frame.input(), locals, path);
            branches.add(branch(outcome));
            Optional<Outcome<Frame.Work>> early = early(fork, branches, outcome);
            if (early.isPresent()) {
                return early.get();
            }
        }
        return joined(fork, branches);
    }

    private Outcome<Frame.Work> forked(TaskKind.Fork fork, Frame.Forking at, ProcessInput signal, Locals locals) {
        var branches = new ArrayList<>(at.branches());
        for (int i = 0; i < branches.size(); i++) {
            Frame running = branches.get(i).running();
            if (running == null) {
                continue;
            }
            Outcome<Frame> outcome = draft.resume(fork.branches().get(i), running, signal, locals);
            branches.set(i, branch(outcome));
            Optional<Outcome<Frame.Work>> early = early(fork, branches, outcome);
            if (early.isPresent()) {
                return early.get();
            }
        }
        return joined(fork, branches);
    }

    private static Frame.Branch branch(Outcome<Frame> outcome) {
        return switch (outcome) {
            case Running<Frame>(Frame running) -> new Frame.Branch(running, null, null);
            case Done<Frame> done -> new Frame.Branch(null, done.output(), null);
            case Failed<Frame> failed -> new Frame.Branch(null, null, failed.error());
        };
    }

    /** The result of the fork if a finished branch decides it; stops the other branches. */
    private Optional<Outcome<Frame.Work>> early(
            TaskKind.Fork fork, List<Frame.Branch> branches, Outcome<Frame> outcome) {
        Outcome<Frame.Work> result = switch (outcome) {
            case Running<Frame> _ -> null;
            case Done<Frame>(Json output, String then) ->
                then.equals(Task.END) ? new Done<>(output, then) : fork.compete() ? done(output) : null;
            case Failed<Frame> failed -> fork.compete() ? null : new Failed<>(failed.error());
        };
        if (result != null) {
            stopBranches(fork, branches);
        }
        return Optional.ofNullable(result);
    }

    private static Outcome<Frame.Work> joined(TaskKind.Fork fork, List<Frame.Branch> branches) {
        if (branches.stream().anyMatch(branch -> branch.running() != null)) {
            return new Running<>(new Frame.Forking(branches));
        }
        if (fork.compete()) { // all have failed
            return new Failed<>(Objects.requireNonNull(branches.getFirst().error()));
        }
        var outputs = new ArrayList<Json>();
        branches.forEach(branch -> outputs.add(Objects.requireNonNull(branch.output())));
        return done(Json.of(outputs));
    }

    // ---- failures

    private Outcome<Frame.Work> attempt(
            TaskKind.Try attempt, Task task, Frame frame, Locals locals, int retries, @Nullable Instant since) {
        RetryPolicy retry = attempt.handler().retry();
        Instant until = null;
        if (retry != null && retry.attemptTimeout() != null) {
            until = draft.now().plus(length(retry.attemptTimeout(), task, frame, locals));
        }
        Outcome<Frame.Work> outcome =
                draft.block(attempt.body(), frame.input(), locals.trying(retry, retries), frame.path() + "/try");
        return tried(attempt, task, frame, locals, outcome, new Frame.Trying(retries, since, until, frame.work()));
    }

    private Outcome<Frame.Work> tried(
            TaskKind.Try attempt, Task task, Frame frame, Locals locals, Outcome<Frame.Work> outcome, Frame.Trying at) {
        return switch (outcome) {
            case Running<Frame.Work>(Frame.Work body) ->
                new Running<>(new Frame.Trying(at.retries(), at.since(), at.until(), body));
            case Done<Frame.Work> done -> Draft.outside(done);
            case Failed<Frame.Work>(WorkflowError error, Frame.Work body) -> {
                Outcome<Frame.Work> caught =
                        caught(attempt.handler(), task, frame, locals, error, at.retries(), at.since());
                boolean broken = caught instanceof Failed<Frame.Work> failed && failed.at() == null && body != null;
                yield broken ? new Failed<>(error, new Frame.Trying(at.retries(), at.since(), null, body)) : caught;
            }
        };
    }

    private Outcome<Frame.Work> caught(
            TaskKind.Catch handler,
            Task task,
            Frame frame,
            Locals locals,
            WorkflowError error,
            int retries,
            @Nullable Instant since) {
        Locals inner = locals.with(handler.as(), error.toJson());
        boolean meant = error.matches(handler.errors())
                && (handler.when() == null
                        || draft.evaluate(handler.when(), task, frame, frame.input(), inner)
                                .isTruthy())
                && (handler.exceptWhen() == null
                        || !draft.evaluate(handler.exceptWhen(), task, frame, frame.input(), inner)
                                .isTruthy());
        if (!meant) {
            return new Failed<>(error);
        }
        Instant first = since == null ? draft.now() : since;
        if (handler.retry() != null) {
            Optional<Instant> again = retryAt(handler.retry(), retries + 1, first, error, task, frame, inner);
            if (again.isPresent()) {
                return new Running<>(new Frame.Retrying(retries + 1, first, again.get(), error));
            }
        }
        if (handler.body() != null) {
            String path = frame.path() + "/catch/do";
            return Draft.outside(Draft.at(
                    draft.block(handler.body(), frame.input(), inner, path), at -> new Frame.Catching(error, at)));
        }
        return handler.retry() == null ? done(frame.input()) : new Failed<>(error);
    }

    /** The time of the next retry, or empty for none. @param retry its number, from 1 */
    Optional<Instant> retryAt(
            RetryPolicy policy, int retry, Instant since, WorkflowError error, Task task, Frame frame, Locals locals) {
        Locals inner = locals.variables().containsValue(error.toJson()) ? locals : locals.with("error", error.toJson());
        boolean refused = policy.when() != null
                        && !draft.evaluate(policy.when(), task, frame, frame.input(), inner)
                                .isTruthy()
                || policy.exceptWhen() != null
                        && draft.evaluate(policy.exceptWhen(), task, frame, frame.input(), inner)
                                .isTruthy();
        if (refused || policy.attempts() > 0 && retry > policy.attempts()) {
            return Optional.empty();
        }
        Instant at = draft.now().plus(delay(policy, retry, task, frame, inner));
        boolean late = policy.total() != null && at.isAfter(since.plus(length(policy.total(), task, frame, inner)));
        return late ? Optional.empty() : Optional.of(at);
    }

    Duration length(DurationExpression span, Task task, Frame frame, Locals locals) {
        return draft.evaluated(
                () -> span.evaluate(draft.scope(frame, frame.input(), locals, Map.of())), task.pointer());
    }

    private Duration delay(RetryPolicy policy, int retry, Task task, Frame frame, Locals locals) {
        Duration delay = policy.delay() == null ? Duration.ZERO : length(policy.delay(), task, frame, locals);
        long times = switch (policy.backoff()) {
            case CONSTANT -> 1;
            case LINEAR -> retry;
            case EXPONENTIAL -> 1L << Math.min(retry - 1, 40);
        };
        boolean beyond = delay.toMillis() > MAX_DELAY.toMillis() / times;
        Duration grown = beyond ? MAX_DELAY : delay.multipliedBy(times);
        if (policy.jitterFrom() == null || policy.jitterTo() == null) {
            return grown;
        }
        long from = length(policy.jitterFrom(), task, frame, locals).toMillis();
        long to = Math.max(from, length(policy.jitterTo(), task, frame, locals).toMillis());
        // seeded by the attempt, so that a repeated decision is the same
        var random = new Random((draft.id() + frame.order() + retry).hashCode());
        return grown.plusMillis(from + (long) (random.nextDouble() * (to - from)));
    }

    // ---- go on

    Outcome<Frame.Work> resume(Task task, Frame frame, ProcessInput signal, Locals locals) {
        boolean tick = signal instanceof ProcessInput.Tick;
        return switch (frame.work()) {
            case Frame.Calling calling
            when signal instanceof ProcessInput.Result result -> answered(calling, result, task, frame, locals);
            case Frame.Sleeping(Instant until) when tick && draft.isDue(until) -> done(frame.input());
            case Frame.Asking _
            when signal instanceof ProcessInput.Answer answer && answer.order() == frame.order() ->
                answer.error() == null ? done(answer.value()) : new Failed<>(answer.error());
            case Frame.Listening listening ->
                new Listener(draft, (TaskKind.Listen) task.kind(), task, frame, locals).heard(listening, signal);
            case Frame.Subscribing at ->
                new Subscriber(draft, this, (TaskKind.Subscribe) task.kind(), task, frame, locals).heard(at, signal);
            case Frame.Looping looping -> looped((TaskKind.For) task.kind(), looping, task, frame, signal, locals);
            case Frame.Forking forking -> forked((TaskKind.Fork) task.kind(), forking, signal, locals);
            case Frame.Trying trying -> tryingOn((TaskKind.Try) task.kind(), trying, task, frame, signal, locals);
            case Frame.Retrying retrying
            when tick && draft.isDue(retrying.until()) ->
                attempt((TaskKind.Try) task.kind(), task, frame, locals, retrying.retries(), retrying.since());
            case Frame.Catching catching -> {
                TaskKind.Catch handler = ((TaskKind.Try) task.kind()).handler();
                Block body = Objects.requireNonNull(handler.body());
                Locals inner = locals.with(handler.as(), catching.error().toJson());
                yield Draft.outside(Draft.at(
                        draft.resume(body, catching.body(), signal, inner, frame.path() + "/catch/do"),
                        at -> new Frame.Catching(catching.error(), at)));
            }
            case Frame.Function(Frame inner) ->
                function(draft.resume(((TaskKind.CallFunction) task.kind()).task(), inner, signal, locals));
            case Frame.Extending extending ->
                new ExtendedTask(draft, this, (TaskKind.Extended) task.kind(), task, frame, locals)
                        .resume(extending, signal);
            case Frame.Sequence _, Frame.Yielded _ ->
                Draft.outside(draft.resume(
                        ((TaskKind.Do) task.kind()).body(), frame.work(), signal, locals, frame.path() + "/do"));
            case Frame.Calling _, Frame.Sleeping _, Frame.Asking _, Frame.Retrying _, Frame.Again _, Frame.Broken _ ->
                new Running<>(frame.work());
        };
    }

    private Outcome<Frame.Work> tryingOn(
            TaskKind.Try attempt, Frame.Trying at, Task task, Frame frame, ProcessInput signal, Locals locals) {
        if (signal instanceof ProcessInput.Tick && draft.isDue(at.until())) {
            stop(at.body(), attempt.body());
            WorkflowError late = Standard.TIMEOUT.error("the attempt timed out", task.pointer());
            return caught(attempt.handler(), task, frame, locals, late, at.retries(), at.since());
        }
        Locals inner = locals.trying(attempt.handler().retry(), at.retries());
        Outcome<Frame.Work> outcome = draft.resume(attempt.body(), at.body(), signal, inner, frame.path() + "/try");
        return tried(attempt, task, frame, locals, outcome, at);
    }

    /** Whether an unanswered question is escalated. */
    boolean isEscalated(Frame frame) {
        return Frame.innermost(frame.work()) instanceof Frame.Asking(Json question)
                && question.get("onTimeout").get("action").equals(Json.of("escalate"));
    }

    /** Escalates a question. @param frame with the new deadline */
    Frame escalated(Frame frame) {
        Json question = ((Frame.Asking) Frame.innermost(frame.work())).question();
        Json onTimeout = question.get("onTimeout");
        Json now =
                question.with("assignment", onTimeout.get("assignment")).with("onTimeout", onTimeout.get("onTimeout"));
        draft.effect(new Effect.Escalate(frame.order(), now, frame.deadline()));
        Frame.Work asking = new Frame.Asking(now);
        return frame.withWork(
                frame.work() instanceof Frame.Extending at
                        ? new Frame.Extending(at.stage(), asking, at.output())
                        : asking);
    }

    /** Handles a timeout; questions can define {@code onTimeout}. */
    Outcome<Frame.Work> timedOut(Task task, Frame frame) {
        if (Frame.innermost(frame.work()) instanceof Frame.Asking(Json question)) {
            Json onTimeout = question.get("onTimeout");
            Json action = onTimeout instanceof Json.Obj ? onTimeout.get("action") : onTimeout;
            if (action.equals(Json.of("route"))) {
                return new Done<>(frame.input(), onTimeout.get("then").display());
            }
            if (action.equals(Json.of("default"))) {
                Json standard = onTimeout instanceof Json.Obj
                                && !onTimeout.get("default").isNull()
                        ? onTimeout.get("default")
                        : question.get("default");
                return done(standard instanceof Json.Obj ? standard : Json.of("value", standard));
            }
        }
        return new Failed<>(Standard.TIMEOUT.error("'" + task.name() + "' timed out", task.pointer()));
    }

    // ---- phases

    /** The phase of a task: waiting for a person, an event or a time, or running. */
    Phase phase(Frame.Work work) {
        return switch (work) {
            case Frame.Sleeping _, Frame.Asking _, Frame.Retrying _, Frame.Again _ -> Phase.WAITING;
            case Frame.Listening listening -> listening.body() == null ? Phase.WAITING : phase(listening.body());
            case Frame.Subscribing at when at.body() != null -> phase(at.body());
            case Frame.Subscribing at -> at.cursor() == null ? Phase.RUNNING : Phase.WAITING;
            case Frame.Calling _, Frame.Yielded _ -> Phase.RUNNING;
            case Frame.Broken _ -> Phase.FAULTED;
            case Frame.Sequence sequence -> phase(sequence.task().work());
            case Frame.Function(Frame task) -> phase(task.work());
            case Frame.Extending extending -> phase(extending.body());
            case Frame.Looping looping -> phase(looping.body());
            case Frame.Trying trying -> phase(trying.body());
            case Frame.Catching catching -> phase(catching.body());
            case Frame.Forking(List<Frame.Branch> branches) ->
                branches.stream()
                                .map(Frame.Branch::running)
                                .filter(Objects::nonNull)
                                .allMatch(branch -> phase(branch.work()) == Phase.WAITING)
                        ? Phase.WAITING
                        : Phase.RUNNING;
        };
    }

    // ---- stop

    /** Stops the running task of a list. */
    void stop(Frame.Work work, Block block) {
        if (work instanceof Frame.Sequence sequence) {
            stop(block.tasks().get(sequence.index()), sequence.task());
        }
    }

    /** Stops a task. */
    void stop(Task task, Frame frame) {
        stopWork(task, frame);
        if (!(frame.work() instanceof Frame.Again)) { // its attempt has failed already
            draft.changed(task, frame, Phase.CANCELLED, Values.NULL, null);
        }
    }

    /** Stops the work of a task, without changing its phase. */
    void stopWork(Task task, Frame frame) {
        switch (frame.work()) {
            case Frame.Calling calling -> draft.effect(new Effect.CancelCall(calling.key()));
            case Frame.Asking _ -> draft.effect(new Effect.CancelAsk(frame.order()));
            case Frame.Listening listening -> {
                draft.effect(new Effect.CancelListen(frame.order()));
                TaskKind.Foreach foreach = ((TaskKind.Listen) task.kind()).foreach();
                if (foreach != null && listening.body() != null) {
                    stop(listening.body(), foreach.body());
                }
            }
            case Frame.Subscribing subscribing -> {
                if (subscribing.key() != null) {
                    draft.effect(new Effect.CancelCall(subscribing.key()));
                }
                if (subscribing.body() != null) {
                    stop(
                            subscribing.body(),
                            ((TaskKind.Subscribe) task.kind()).foreach().body());
                }
            }
            case Frame.Sequence _ -> stop(frame.work(), ((TaskKind.Do) task.kind()).body());
            case Frame.Function(Frame inner) -> stop(((TaskKind.CallFunction) task.kind()).task(), inner);
            case Frame.Extending extending ->
                ExtendedTask.stop(this, (TaskKind.Extended) task.kind(), frame, extending);
            case Frame.Looping looping -> stop(looping.body(), ((TaskKind.For) task.kind()).body());
            case Frame.Trying trying -> stop(trying.body(), ((TaskKind.Try) task.kind()).body());
            case Frame.Catching catching ->
                stop(
                        catching.body(),
                        Objects.requireNonNull(
                                ((TaskKind.Try) task.kind()).handler().body()));
            case Frame.Forking(List<Frame.Branch> branches) -> stopBranches((TaskKind.Fork) task.kind(), branches);
            case Frame.Sleeping _, Frame.Retrying _, Frame.Again _, Frame.Yielded _, Frame.Broken _ -> {
                // no effects to cancel
            }
        }
    }

    private void stopBranches(TaskKind.Fork fork, List<Frame.Branch> branches) {
        for (int i = 0; i < branches.size(); i++) {
            Frame running = branches.get(i).running();
            if (running != null) {
                stop(fork.branches().get(i), running);
            }
        }
    }
}
