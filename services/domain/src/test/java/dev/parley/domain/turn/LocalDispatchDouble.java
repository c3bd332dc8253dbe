package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.ToolStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Double of the in-process dispatch of one process and of its workers. Its calls are lost when the process dies. */
final class LocalDispatchDouble {
    private final DispatchSimulation world;
    private final String process;
    private final int slots;
    private final Map<UUID, Running> calls = new HashMap<>();
    private boolean alive = true;

    /**
     * A requested call.
     *
     * @param repeatable whether it may run before the step that requested it is committed
     * @param script the results, evaluated when the call starts
     */
    record Ask(
            UUID callId,
            int attempt,
            RecordKey key,
            String question,
            boolean repeatable,
            Function<DispatchSimulation, List<ScriptedWorkers.Late>> script) {}

    /** Receives results in memory. */
    interface Asker {
        /** @return false if the result must be sent to its topic */
        boolean offer(CallResult answer, String question, Runnable byTopic);

        /** Whether the step that requested the call is committed. */
        boolean isCommitted();
    }

    /** A running call. */
    final class Running {
        private final Ask call;
        private int attempt;
        private @Nullable Asker asker;
        private boolean over;

        Running(Ask call, @Nullable Asker asker) {
            this.call = call;
            this.attempt = call.attempt();
            this.asker = asker;
        }

        /** Whether its worker is still executing it. */
        boolean isHeld() {
            return alive && !over;
        }
    }

    LocalDispatchDouble(DispatchSimulation world, String process, int slots) {
        this.world = world;
        this.process = process;
        this.slots = slots;
    }

    String process() {
        return process;
    }

    boolean isAlive() {
        return alive;
    }

    /** Ends the process; its calls are lost. */
    void kill() {
        alive = false;
        calls.clear();
    }

    /** Offers a call in memory; returns false if no slot is free. */
    boolean offer(Ask call, Asker asker) {
        if (adopt(call, asker)) {
            return true;
        }
        if (calls.size() >= slots) {
            return false;
        }
        start(call, asker);
        return true;
    }

    /** Receives a call from its topic. */
    void receive(Ask call) {
        if (!adopt(call, null)) {
            start(call, null);
        }
    }

    /** Joins a running call with this id, unless the step that requested it may still be lost. */
    private boolean adopt(Ask call, @Nullable Asker asker) {
        Running running = calls.get(call.callId());
        if (running == null || (running.asker != null && !running.asker.isCommitted())) {
            return false;
        }
        running.attempt = Math.max(running.attempt, call.attempt());
        running.asker = asker;
        return true;
    }

    private void start(Ask call, @Nullable Asker asker) {
        var running = new Running(call, asker);
        calls.put(call.callId(), running);
        if (call.repeatable()) {
            play(running);
            return;
        }
        assertTrue(world.isCommitted(call), () -> "a call that may be made once is made before its commit: " + call);
        DispatchSimulation.Row row = world.ledger().get(call.callId());
        if (row == null) {
            world.ledger().put(call.callId(), new DispatchSimulation.Row(running));
            play(running);
        } else if (row.result() != null) {
            emit(running, row.result(), true);
        } else if (row.holder().isHeld()) {
            emit(running, new RetryAfter(call.callId(), call.attempt(), Duration.ofSeconds(1), "held"), true);
        } else {
            emit(running, new ToolAnswered(call.callId(), call.attempt(), ToolStatus.UNKNOWN, "error: unknown"), true);
        }
    }

    /** Emits the results of the script; without any, the call is lost. */
    private void play(Running running) {
        var results = running.call.script().apply(world);
        if (results.isEmpty()) {
            end(running);
        }
        for (int i = 0; i < results.size(); i++) {
            boolean last = i == results.size() - 1;
            CallResult result = results.get(i).result();
            Duration after = results.get(i).after();
            world.after(world.isQuick() ? after.dividedBy(100) : after, () -> emit(running, result, last));
        }
    }

    private void emit(Running running, CallResult result, boolean last) {
        if (!running.isHeld()) {
            return;
        }
        if (last) {
            end(running);
            DispatchSimulation.Row row = world.ledger().get(running.call.callId());
            if (row != null && row.holder() == running && result instanceof ToolAnswered) {
                row.ended(result);
            }
        }
        CallResult stamped = stamped(result, running.attempt);
        deliver(running, stamped);
        if (world.chance(8)) { // twice
            world.after(world.moment(Duration.ofSeconds(20)), () -> deliver(running, stamped));
        }
    }

    private void end(Running running) {
        running.over = true;
        calls.remove(running.call.callId(), running);
    }

    private void deliver(Running running, CallResult answer) {
        if (!alive) {
            return;
        }
        String question = running.call.question();
        Asker asker = running.asker;
        Runnable byTopic = () -> sendByTopic(running.call.key(), answer, question);
        if (asker == null || !asker.offer(answer, question, byTopic)) {
            byTopic.run();
        }
    }

    /** A record that is not sent yet is lost with the process. */
    private void sendByTopic(RecordKey key, CallResult answer, String question) {
        world.after(world.moment(Duration.ofMillis(world.chance(10) ? 30_000 : 20)), () -> {
            if (alive) {
                world.append(key, answer, question);
            }
        });
    }

    /** Stops a call; returns false if this process does not run it. */
    boolean cancel(UUID callId, List<ScriptedWorkers.Late> lastWords) {
        Running running = calls.get(callId);
        if (running == null) {
            return false;
        }
        if (lastWords.isEmpty()) {
            end(running);
        }
        lastWords.forEach(answer -> world.after(answer.after(), () -> emit(running, answer.result(), true)));
        return true;
    }

    private static CallResult stamped(CallResult result, int attempt) {
        return switch (result) {
            case ModelAnswered r ->
                new ModelAnswered(
                        r.callId(), attempt, r.blocks(), r.finish(), r.usage(), r.provider(), r.model(), r.raw());
            case ModelFailed r ->
                new ModelFailed(r.callId(), attempt, r.category(), r.detail(), r.retryAfter(), r.partial());
            case ToolAnswered r -> new ToolAnswered(r.callId(), attempt, r.status(), r.content());
            case RetryAfter r -> new RetryAfter(r.callId(), attempt, r.delay(), r.reason());
            case CallProgress r -> new CallProgress(r.callId(), attempt, r.worker());
            case Embedded _, Found _, CallResult.WorkAnswered _, CallResult.Settled _, ChildFinished _ -> result;
        };
    }
}
