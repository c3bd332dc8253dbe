package dev.parley.channels.a2a;

import dev.parley.channels.a2a.A2aException.Code;
import dev.parley.channels.a2a.MessageRequest.Answer;
import dev.parley.channels.protocols.AgentInvocation;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.PendingApprovals.Approval;
import dev.parley.channels.web.FollowedTurn;
import dev.parley.channels.web.TurnRequest;
import dev.parley.channels.web.TurnService;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.platform.http.ApiException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tasks of agents: starts, answers, finds and cancels them. The session of its turn knows the owner of a task. */
@Singleton
final class TaskService {
    /** Maximum wait for the end of a cancelled task. */
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);

    private final TurnService turns;

    TaskService(TurnService turns) {
        this.turns = turns;
    }

    /** A task that is followed. Closing it stops the following, never the task. */
    record Open(FollowedTurn turn, FollowedTask task) implements AutoCloseable {
        @Override
        public void close() {
            turn.close();
        }
    }

    /**
     * Starts a task, or answers one.
     *
     * @throws A2aException when it is refused
     * @throws ApiException when it is refused
     */
    Open send(AgentInvocation call, MessageRequest message) throws InterruptedException {
        return message.task() == null ? begin(call, message) : answer(call, message, message.task());
    }

    private Open begin(AgentInvocation call, MessageRequest message) throws InterruptedException {
        // a message that is sent again returns the same task
        String reference = "a2a " + Ids.of("a2a", message.id(), message.parts().toString());
        String session = message.context() == null
                ? TurnService.generatedKey(call.caller(), "a2a", reference)
                : message.context();
        RecordKey key = call.key(session);
        var turnRequest = new TurnRequest(null, message.parts(), "followup", call.agent(), null, null);
        FollowedTurn turn =
                turns.beginOrFollow(key, turns.turn(call.caller(), key, turnRequest, reference, call.trace()));
        return open(turn, new ExternalTurnId(session, turn.id()), MessageParts.text(message.parts(), "\n"));
    }

    private static Open open(FollowedTurn turn, ExternalTurnId name, @Nullable String userMessage)
            throws InterruptedException {
        return new Open(turn, new FollowedTask(turn, name, turn.isQueued(), userMessage));
    }

    /**
     * A task with its cached deltas.
     *
     * @throws A2aException where it is unknown or of another caller
     */
    Open find(AgentInvocation call, String id) throws InterruptedException {
        ExternalTurnId name = name(id);
        try {
            Open open = open(turns.follow(call.caller(), call.key(name.session()), name.turn()), name, null);
            open.task().catchUp();
            return open;
        } catch (ApiException e) {
            throw orNoTask(e, id);
        }
    }

    private static ExternalTurnId name(String id) {
        return ExternalTurnId.parse(id)
                .filter(name -> name.text().equals(id))
                .orElseThrow(() -> A2aException.noTask(id));
    }

    private static RuntimeException orNoTask(ApiException e, String id) {
        return e.code().startsWith("unknown_") || e.code().equals("invalid_key") ? A2aException.noTask(id) : e;
    }

    private Open answer(AgentInvocation call, MessageRequest message, String id) throws InterruptedException {
        Open open = find(call, id);
        try {
            ExternalTurnId name = open.task().name();
            if (message.context() != null && !message.context().equals(name.session())) {
                throw A2aException.invalid("The task is in another context than 'contextId'.");
            }
            if (open.task().view(Duration.ZERO).state().isLast()) {
                throw new A2aException(
                        Code.UNSUPPORTED_OPERATION,
                        "The task has ended and takes no more messages: send one without 'taskId' in its context.");
            }
            decide(call, message, open.task());
            return open;
        } catch (RuntimeException | InterruptedException e) {
            open.close();
            throw e;
        }
    }

    private void decide(AgentInvocation call, MessageRequest message, FollowedTask task) {
        List<Approval> pending = task.approvals().open();
        boolean isNamed =
                message.data().stream().anyMatch(data -> data.path("question").isTextual());
        if (pending.isEmpty() && !isNamed) {
            throw new A2aException(
                    Code.UNSUPPORTED_OPERATION,
                    "The task asks nothing now: send the message without 'taskId', and it is a task of its own.");
        }
        RecordKey key = call.key(task.name().session());
        for (Answer answer : message.answers()) {
            List<String> ids = answer.question() == null
                    ? pending.stream().map(Approval::id).toList()
                    : List.of(answer.question());
            for (String id : ids) {
                decide(call, key, id, answer);
                task.approvals().markAnswered(id);
            }
        }
    }

    /** The first answer counts; a later one is ignored. */
    private void decide(AgentInvocation call, RecordKey key, String id, Answer answer) {
        UUID question;
        try {
            question = Ids.parse(id);
        } catch (IllegalArgumentException e) {
            throw A2aException.invalid("There is no question '%s'.".formatted(id));
        }
        try {
            turns.decide(call.caller(), key, question, answer.answer());
        } catch (ApiException e) {
            if (!e.code().equals("unknown_approval")) {
                throw e;
            }
        }
    }

    /**
     * Cancels a task.
     *
     * @throws A2aException where it is unknown or has ended
     */
    TaskView cancel(AgentInvocation call, String id) throws InterruptedException {
        ExternalTurnId name = name(id);
        try {
            turns.cancel(call.caller(), call.key(name.session()), name.turn());
        } catch (ApiException e) {
            if (e.code().equals("turn_finished") || e.code().equals("no_active_turn")) {
                throw new A2aException(Code.TASK_NOT_CANCELABLE, "The task has ended already.");
            }
            throw orNoTask(e, id);
        }
        try (Open open = find(call, id)) {
            return open.task().view(CANCEL_TIMEOUT);
        }
    }
}
