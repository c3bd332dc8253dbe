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

/** The workers of one process, with the calls that they have: all are lost with it. */
final class LaneWorker {
    private final LaneSimulation world;
    private final String process;
    private final int places;
    private final Map<UUID, Running> calls = new HashMap<>();
    private boolean alive = true;

    /**
     * A call as it is asked.
     *
     * @param repeatable whether it may be made although what asked for it is not committed
     * @param script what will be said, of the time when the call is taken up
     */
    record Ask(
            UUID callId,
            int attempt,
            RecordKey key,
            String question,
            boolean repeatable,
            Function<LaneSimulation, List<ScriptedWorkers.Late>> script) {}

    /** Takes answers in memory. */
    interface Lane {
        /** @return false where the answer has to go by its topic */
        boolean offer(CallResult answer, String question, Runnable byTopic);

        /** Whether the step that asked is committed. */
        boolean isCommitted();
    }

    /** A call under way. */
    final class Running {
        private final Ask ask;
        private int attempt;
        private @Nullable Lane lane;
        private boolean over;

        Running(Ask ask, @Nullable Lane lane) {
            this.ask = ask;
            this.attempt = ask.attempt();
            this.lane = lane;
        }

        /** Whether its worker still has it. */
        boolean isHeld() {
            return alive && !over;
        }
    }

    LaneWorker(LaneSimulation world, String process, int places) {
        this.world = world;
        this.process = process;
        this.places = places;
    }

    String process() {
        return process;
    }

    boolean isAlive() {
        return alive;
    }

    /** All that it had is lost. */
    void die() {
        alive = false;
        calls.clear();
    }

    /** Takes a call in memory, unless there is no room. */
    boolean take(Ask ask, Lane lane) {
        if (adopt(ask, lane)) {
            return true;
        }
        if (calls.size() >= places) {
            return false;
        }
        start(ask, lane);
        return true;
    }

    /** Takes a call up that came by its topic. */
    void takeUp(Ask ask) {
        if (!adopt(ask, null)) {
            start(ask, null);
        }
    }

    /** A call is the same as that under way only if what asked for that one is committed. */
    private boolean adopt(Ask ask, @Nullable Lane lane) {
        Running running = calls.get(ask.callId());
        if (running == null || (running.lane != null && !running.lane.isCommitted())) {
            return false;
        }
        running.attempt = Math.max(running.attempt, ask.attempt());
        running.lane = lane;
        return true;
    }

    private void start(Ask ask, @Nullable Lane lane) {
        var running = new Running(ask, lane);
        calls.put(ask.callId(), running);
        if (ask.repeatable()) {
            script(running);
            return;
        }
        assertTrue(world.isCommitted(ask), () -> "a call that may be made once is made before its commit: " + ask);
        LaneSimulation.Row row = world.ledger().get(ask.callId());
        if (row == null) {
            world.ledger().put(ask.callId(), new LaneSimulation.Row(running));
            script(running);
        } else if (row.result() != null) {
            say(running, row.result(), true);
        } else if (row.holder().isHeld()) {
            say(running, new RetryAfter(ask.callId(), ask.attempt(), Duration.ofSeconds(1), "held"), true);
        } else {
            say(running, new ToolAnswered(ask.callId(), ask.attempt(), ToolStatus.UNKNOWN, "error: unknown"), true);
        }
    }

    /** Says all that is to be said, or nothing ever: then the call is lost. */
    private void script(Running running) {
        var lines = running.ask.script().apply(world);
        if (lines.isEmpty()) {
            ended(running);
        }
        for (int i = 0; i < lines.size(); i++) {
            boolean last = i == lines.size() - 1;
            CallResult line = lines.get(i).result();
            Duration after = lines.get(i).after();
            world.after(world.isQuick() ? after.dividedBy(100) : after, () -> say(running, line, last));
        }
    }

    private void say(Running running, CallResult line, boolean last) {
        if (!running.isHeld()) {
            return;
        }
        if (last) {
            ended(running);
            LaneSimulation.Row row = world.ledger().get(running.ask.callId());
            if (row != null && row.holder() == running && line instanceof ToolAnswered) {
                row.ended(line);
            }
        }
        CallResult stamped = stamped(line, running.attempt);
        give(running, stamped);
        if (world.chance(8)) { // twice
            world.after(world.moment(Duration.ofSeconds(20)), () -> give(running, stamped));
        }
    }

    private void ended(Running running) {
        running.over = true;
        calls.remove(running.ask.callId(), running);
    }

    private void give(Running running, CallResult answer) {
        if (!alive) {
            return;
        }
        String question = running.ask.question();
        Lane lane = running.lane;
        Runnable byTopic = () -> sendByTopic(running.ask.key(), answer, question);
        if (lane == null || !lane.offer(answer, question, byTopic)) {
            byTopic.run();
        }
    }

    /** What is on its way is lost with the process. */
    private void sendByTopic(RecordKey key, CallResult answer, String question) {
        world.after(world.moment(Duration.ofMillis(world.chance(10) ? 30_000 : 20)), () -> {
            if (alive) {
                world.append(key, answer, question);
            }
        });
    }

    /** Stops a call. @return whether it is here */
    boolean cancel(UUID callId, List<ScriptedWorkers.Late> lastWords) {
        Running running = calls.get(callId);
        if (running == null) {
            return false;
        }
        if (lastWords.isEmpty()) {
            ended(running);
        }
        lastWords.forEach(words -> world.after(words.after(), () -> say(running, words.result(), true)));
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
