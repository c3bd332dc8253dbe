package dev.parley.channels.agui;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.agui.RunInput.Resume;
import dev.parley.channels.protocols.EventSink;
import dev.parley.channels.protocols.PendingApprovals;
import dev.parley.channels.protocols.PendingApprovals.Approval;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.web.TurnFeed;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.TurnDelta;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Streams a turn as a run, until the turn ends, or waits for an approval or a call of the application. To a client that
 * has a part of the turn, its conversation is confirmed first; whatever it lacks is streamed, also where the turn has
 * ended.
 */
final class RunStream {
    private final TurnFeed turn;
    private final RunInput input;
    private final ClientState client;
    private final RunEvents events;
    private final PendingApprovals approvals = new PendingApprovals();
    private final Set<String> answered = new HashSet<>();
    private final EventSink sink;

    RunStream(TurnFeed turn, UUID id, RunInput input, EventSink sink) {
        this.turn = turn;
        this.input = input;
        this.sink = sink;
        this.client = ClientState.of(input.messages(), RunEvents.idPrefix(id));
        this.events = new RunEvents(input, id, client);
        for (Resume resume : input.resume()) {
            Interrupt.parse(resume.interruptId())
                    .ifPresent(interrupt -> answered.add(interrupt.approval().toString()));
        }
        answered.forEach(approvals::markAnswered);
    }

    /**
     * Streams the run.
     *
     * @param session key of its session
     * @param skipped parts of the message that were ignored
     * @param silence maximum time without an event
     */
    void write(String session, List<String> skipped, Duration silence) throws InterruptedException {
        sink.event(events.runStarted(session, skipped));
        if (input.resume().isEmpty() && !client.isEmpty()) {
            sink.event(Events.messages(input.messages()));
        }
        List<TurnDelta> past = input.resume().isEmpty() ? List.of() : past();
        int sent = skipAnswered(past);
        var remaining = new RemainingFeed(new ArrayDeque<>(past.subList(sent, past.size())), turn);
        TurnEnd end = new TurnFollower(remaining, silence).follow(TurnFollower.LONGEST, new Listener());
        List<Approval> open = approvals.open();
        boolean waits = end instanceof TurnEnd.Open || end instanceof TurnEnd.Called;
        send(waits && !open.isEmpty() ? events.runInterrupted(open) : events.onTurnEnd(end));
    }

    /** Skips the past up to the approvals that this run answers, which an earlier run has streamed. */
    private int skipAnswered(List<TurnDelta> past) {
        int sent = past.size();
        while (sent > 0 && !isAnsweredHere(past.get(sent - 1))) {
            sent--;
        }
        past.subList(0, sent).forEach(this::apply);
        var _ = events.pause();
        return sent;
    }

    private boolean isAnsweredHere(TurnDelta delta) {
        return delta.kind() == TurnDelta.Kind.APPROVAL && answered.contains(String.valueOf(delta.toolCallId()));
    }

    /** The cached deltas of the turn. */
    private List<TurnDelta> past() throws InterruptedException {
        var past = new ArrayList<TurnDelta>();
        turn.drain(past::add);
        return past;
    }

    private List<ObjectNode> apply(TurnDelta delta) {
        approvals.apply(delta);
        return events.onDelta(delta);
    }

    private void send(List<ObjectNode> batch) throws InterruptedException {
        for (ObjectNode event : batch) {
            sink.event(event);
        }
    }

    /** The feed after the deltas that were already sent. */
    private record RemainingFeed(ArrayDeque<TurnDelta> past, TurnFeed turn) implements TurnFeed {
        @Override
        public Optional<TurnDelta> next(Duration timeout) throws InterruptedException {
            return past.isEmpty() ? turn.next(timeout) : Optional.of(past.removeFirst());
        }

        @Override
        public Optional<Outcome.Finished> awaitEnd(Duration timeout) throws InterruptedException {
            return turn.awaitEnd(timeout);
        }

        @Override
        public Pending pending() {
            return turn.pending();
        }
    }

    private final class Listener implements TurnFollower.Listener {
        @Override
        public boolean onDelta(TurnDelta delta) throws InterruptedException {
            List<ObjectNode> applied = apply(delta);
            send(applied);
            return !applied.isEmpty();
        }

        @Override
        public void onApprovals(List<PendingApproval> pending) {
            approvals.add(pending);
        }

        @Override
        public void onSilence() throws InterruptedException {
            sink.comment();
        }

        @Override
        public Optional<Duration> idleTimeout() {
            return approvals.idleTimeout();
        }
    }
}
