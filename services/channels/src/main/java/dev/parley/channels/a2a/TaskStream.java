package dev.parley.channels.a2a;

import dev.parley.channels.a2a.ProtocolVersion.State;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.EventSink;
import dev.parley.channels.protocols.OpenQuestions.Question;
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
    private final boolean stopsAtQuestions;
    private State state = State.SUBMITTED;
    private @Nullable String reply;

    /** @param stopsAtQuestions whether the stream ends when the task asks */
    TaskStream(FollowedTask task, TaskJson json, boolean stopsAtQuestions, EventSink sink) {
        this.task = task;
        this.json = json;
        this.stopsAtQuestions = stopsAtQuestions;
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
            status(state, first.words(), List.of(), true);
            return;
        }
        if (!task.saying().isEmpty()) {
            sink.event(json.artifactEvent(task.name(), task.saying(), false, false));
        }
        end(follow(TurnFollower.LONGEST, silence));
    }

    /** Follows the task to its end, or until the timeout. */
    TurnEnd follow(Duration most, Duration silence) throws InterruptedException {
        return new TurnFollower(task.turn(), silence).follow(most, new Listener());
    }

    private void end(TurnEnd end) throws InterruptedException {
        List<Question> open = task.questions().open();
        if (end instanceof TurnEnd.Open || end instanceof TurnEnd.Called) {
            if (!open.isEmpty() && stopsAtQuestions) {
                status(State.INPUT_REQUIRED, null, open, true);
            }
            return; // the task continues: the client can subscribe
        }
        if (reply != null && !reply.isBlank()) {
            sink.event(json.artifactEvent(task.name(), reply, false, true));
        }
        status(TaskView.state(end), TaskView.words(end), List.of(), true);
    }

    private void status(State now, @Nullable String words, List<Question> questions, boolean isLast)
            throws InterruptedException {
        state = now;
        sink.event(json.statusEvent(task.name(), now, words, questions, Instant.now(), isLast));
    }

    private final class Listener implements TurnFollower.Listener {
        @Override
        public boolean heard(TurnDelta delta) throws InterruptedException {
            Piece piece = task.hear(delta);
            if (delta.kind() == TurnDelta.Kind.DONE) {
                reply = delta.state() == TurnState.COMPLETED ? delta.text() : null;
                return false; // all of it comes in a moment
            }
            boolean told = told(delta);
            if (piece != null) {
                sink.event(json.artifactEvent(task.name(), piece.text(), !piece.begins(), false));
            }
            return told || piece != null;
        }

        private boolean told(TurnDelta delta) throws InterruptedException {
            List<Question> open = task.questions().open();
            if (!open.isEmpty()) {
                boolean isNew = delta.kind() == TurnDelta.Kind.APPROVAL && !stopsAtQuestions;
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
        public void asked(List<PendingApproval> asked) throws InterruptedException {
            task.questions().add(asked);
            if (!stopsAtQuestions && state != State.INPUT_REQUIRED) {
                status(State.INPUT_REQUIRED, null, task.questions().open(), false);
            }
        }

        @Override
        public void silent() throws InterruptedException {
            sink.comment();
        }

        @Override
        public Optional<Duration> patience() {
            return stopsAtQuestions ? task.questions().patience() : Optional.empty();
        }
    }
}
