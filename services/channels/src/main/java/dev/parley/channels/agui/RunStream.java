package dev.parley.channels.agui;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.agui.RunInput.Resume;
import dev.parley.channels.deltas.DeltaListener;
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

/** Streams a turn as a run, until the turn ends, or waits for an approval or a call of the application. */
final class RunStream {
    private final TurnFeed turn;
    private final RunInput input;
    private final Known known;
    private final RunEvents events;
    private final PendingApprovals approvals = new PendingApprovals();
    private final Set<String> answered = new HashSet<>();
    private final EventSink sink;

    RunStream(TurnFeed turn, UUID id, RunInput input, EventSink sink) {
        this.turn = turn;
        this.input = input;
        this.sink = sink;
        this.known = Known.of(input.messages(), RunEvents.own(id));
        this.events = new RunEvents(input, id, known);
        for (Resume resume : input.resume()) {
            Interrupt.parse(resume.interruptId())
                    .ifPresent(one -> answered.add(one.approval().toString()));
        }
        answered.forEach(approvals::answered);
    }

    /**
     * Streams the run.
     *
     * @param session key of its session
     * @param skipped parts of the message that were ignored
     * @param silence maximum time without an event
     */
    void write(String session, List<String> skipped, Duration silence) throws InterruptedException {
        sink.event(events.started(session, skipped));
        boolean isAgain = !input.resume().isEmpty() || !known.isNothing();
        List<TurnDelta> past = isAgain ? past() : List.of();
        int told = input.resume().isEmpty() ? caughtUp(past) : skipped(past);
        var rest = new Rest(new ArrayDeque<>(past.subList(told, past.size())), turn);
        TurnEnd end = new TurnFollower(rest, silence).follow(TurnFollower.LONGEST, new Listener());
        List<Approval> open = approvals.open();
        boolean waits = end instanceof TurnEnd.Open || end instanceof TurnEnd.Called;
        send(waits && !open.isEmpty() ? events.interrupted(open) : events.ended(end));
    }

    /** The client has a part of the turn: the rest of the past is sent as a snapshot first. */
    private int caughtUp(List<TurnDelta> past) throws InterruptedException {
        if (known.isNothing()) {
            return 0;
        }
        var snapshot = new Snapshot(input.messages());
        int told = past.isEmpty() || !DeltaListener.isLast(past.getLast()) ? past.size() : past.size() - 1;
        for (TurnDelta delta : past.subList(0, told)) {
            apply(delta).forEach(snapshot::add);
        }
        events.pause().forEach(snapshot::add);
        sink.event(snapshot.event());
        return told;
    }

    /** Skips the past up to the approvals that this run answers, which an earlier run has streamed. */
    private int skipped(List<TurnDelta> past) {
        int told = past.size();
        while (told > 0 && !isAnsweredHere(past.get(told - 1))) {
            told--;
        }
        past.subList(0, told).forEach(this::apply);
        var _ = events.pause();
        return told;
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

    private void send(List<ObjectNode> all) throws InterruptedException {
        for (ObjectNode event : all) {
            sink.event(event);
        }
    }

    /** The feed after the deltas that were already sent. */
    private record Rest(ArrayDeque<TurnDelta> past, TurnFeed turn) implements TurnFeed {
        @Override
        public Optional<TurnDelta> next(Duration most) throws InterruptedException {
            return past.isEmpty() ? turn.next(most) : Optional.of(past.removeFirst());
        }

        @Override
        public Optional<Outcome.Finished> finished(Duration most) throws InterruptedException {
            return turn.finished(most);
        }

        @Override
        public Pending pending() {
            return turn.pending();
        }
    }

    private final class Listener implements TurnFollower.Listener {
        @Override
        public boolean onDelta(TurnDelta delta) throws InterruptedException {
            List<ObjectNode> told = apply(delta);
            send(told);
            return !told.isEmpty();
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
