package dev.parley.channels.a2a;

import dev.parley.channels.a2a.A2aVersion.State;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.EventSink;
import dev.parley.channels.protocols.PendingApprovals.Approval;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Streams a task: its state, then the text as chunks of one artifact, which is the reply at the end. Text before a tool
 * call is replaced by that after it.
 */
final class TaskStream {
    private final FollowedTask task;
    private final TaskJson json;
    private final EventSink sink;
    private final boolean stopsAtApprovals;
    private State state = State.SUBMITTED;
    private @Nullable String reply;

    /** @param stopsAtApprovals whether the stream ends when the task waits for an approval */
    TaskStream(FollowedTask task, TaskJson json, boolean stopsAtApprovals, EventSink sink) {
        this.task = task;
        this.json = json;
        this.stopsAtApprovals = stopsAtApprovals;
        this.sink = sink;
    }

    /**
     * Streams the task to its end.
     *
     * @param silence maximum time without an event
     */
    void write(TaskView first, boolean history, Duration silence) throws InterruptedException {
        state = first.state();
        sink.event(json.wrappedTask(first, history));
        if (state.isLast()) {
            status(state, first.statusText(), List.of(), true);
            return;
        }
        if (!task.partialText().isEmpty()) {
            sink.event(json.artifactEvent(task.name(), task.partialText(), false, false));
        }
        end(follow(TurnFollower.LONGEST, silence));
    }

    /** Follows the task to its end, or until the timeout. */
    TurnEnd follow(Duration timeout, Duration silence) throws InterruptedException {
        return new TurnFollower(task.turn(), silence).follow(timeout, new Listener());
    }

    private void end(TurnEnd end) throws InterruptedException {
        List<Approval> open = task.approvals().open();
        if (end instanceof TurnEnd.Open || end instanceof TurnEnd.Called) {
            if (!open.isEmpty() && stopsAtApprovals) {
                status(State.INPUT_REQUIRED, null, open, true);
            }
            return; // the task continues: the client can subscribe
        }
        if (reply != null && !reply.isBlank()) {
            sink.event(json.artifactEvent(task.name(), reply, false, true));
        }
        status(TaskView.state(end), TaskView.statusText(end), List.of(), true);
    }

    private void status(State now, @Nullable String statusText, List<Approval> approvals, boolean isLast)
            throws InterruptedException {
        state = now;
        sink.event(json.statusEvent(task.name(), now, statusText, approvals, Instant.now(), isLast));
    }

    private final class Listener implements TurnFollower.Listener {
        @Override
        public boolean onDelta(TurnDelta delta) throws InterruptedException {
            Piece piece = task.apply(delta);
            if (delta.kind() == TurnDelta.Kind.DONE) {
                reply = delta.state() == TurnState.COMPLETED ? delta.text() : null;
                return false; // the whole reply follows
            }
            boolean reported = reportState(delta);
            if (piece != null) {
                sink.event(json.artifactEvent(task.name(), piece.text(), !piece.begins(), false));
            }
            return reported || piece != null;
        }

        private boolean reportState(TurnDelta delta) throws InterruptedException {
            List<Approval> open = task.approvals().open();
            if (!open.isEmpty()) {
                boolean isNew = delta.kind() == TurnDelta.Kind.APPROVAL && !stopsAtApprovals;
                if (isNew) {
                    status(State.INPUT_REQUIRED, null, open, false);
                }
                return isNew;
            }
            boolean progress =
                    delta.kind() == TurnDelta.Kind.PROGRESS && !delta.text().isBlank();
            if (progress || state != State.WORKING) {
                status(State.WORKING, progress ? delta.text() : null, List.of(), false);
                return true;
            }
            return false;
        }

        @Override
        public void onApprovals(List<PendingApproval> pending) throws InterruptedException {
            task.approvals().add(pending);
            if (!stopsAtApprovals && state != State.INPUT_REQUIRED) {
                status(State.INPUT_REQUIRED, null, task.approvals().open(), false);
            }
        }

        @Override
        public void onSilence() throws InterruptedException {
            sink.comment();
        }

        @Override
        public Optional<Duration> idleTimeout() {
            return stopsAtApprovals ? task.approvals().idleTimeout() : Optional.empty();
        }
    }
}
