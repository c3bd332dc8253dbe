package dev.parley.domain.turn;

import dev.parley.domain.content.Block;
import dev.parley.domain.turn.Outcome.Disposition;
import dev.parley.domain.turn.SessionState.ActiveTurn;
import dev.parley.domain.turn.SessionState.QueuedTurn;
import dev.parley.domain.turn.SessionState.Session;
import dev.parley.domain.turn.TurnCommand.*;
import dev.parley.domain.turn.TurnEvent.*;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the machine does with a command: carries it out or refuses it, once. */
final class Commands {
    private static final int MAX_MARKS = 16;

    private Commands() {}

    static void decide(Draft draft, TurnCommand command) {
        Optional<Outcome> before = draft.surroundings().seen().apply(command.meta().commandId());
        if (before.isPresent()) {
            repeat(draft, command, before.get());
            return;
        }
        switch (command) {
            case SubmitTurn submit -> submit(draft, submit);
            case CancelTurn cancel -> cancel(draft, cancel);
            case ResetContext reset -> reset(draft, reset);
            case ChangeSession change -> change(draft, change);
            case ForkSession fork -> fork(draft, fork);
            case SeedContext seed -> seed(draft, seed);
        }
    }

    private static void repeat(Draft draft, TurnCommand command, Outcome before) {
        Integer partition = command.meta().outcomePartition();
        if (partition == null) {
            return;
        }
        draft.effect(new Effect.Tell(partition, before));
        if (!(before instanceof Outcome.Accepted accepted) || accepted.turnId() == null) {
            return;
        }
        if (waits(draft.state(), accepted.turnId())) {
            draft.emit(new WaiterAdded(draft.meta(accepted.turnId()), accepted.turnId(), partition));
        } else {
            draft.surroundings()
                    .seen()
                    .apply(accepted.turnId())
                    .ifPresent(end -> draft.effect(new Effect.Tell(partition, end)));
        }
    }

    private static boolean waits(SessionState state, @Nullable UUID turnId) {
        ActiveTurn active = state.active();
        return turnId != null
                && ((active != null && active.turnId().equals(turnId))
                        || state.queue().stream().anyMatch(turn -> turn.turnId().equals(turnId)));
    }

    private static void submit(Draft draft, SubmitTurn command) {
        Optional<Refusal> refusal = refusal(draft, command);
        if (refusal.isPresent()) {
            refuse(draft, command, refusal.get());
            return;
        }
        if (!draft.state().exists()) {
            open(draft, command);
        }
        ActiveTurn active = draft.state().active();
        boolean busy = active != null && active.cancelling() == null;
        if (busy && command.mode() == MailboxMode.STEER && command.parent() == null) {
            steer(draft, command);
            return;
        }
        Optional<QueuedTurn> collecting = collecting(draft, command);
        if (collecting.isPresent()) {
            collect(draft, command, collecting.get());
            return;
        }
        accept(draft, command);
        if (busy && command.mode() == MailboxMode.INTERRUPT) {
            Turns.cancel(draft, "a newer message interrupted the turn");
        }
        Turns.startNext(draft);
        accepted(draft, command, command.meta().commandId());
    }

    private record Refusal(String code, String message) {}

    private static Optional<Refusal> refusal(Draft draft, SubmitTurn command) {
        SessionState state = draft.state();
        if (command.content().isEmpty() || command.content().stream().allMatch(Commands::isBlank)) {
            return refusal("empty_message", "the message is empty");
        }
        if (state.exists() && state.open().status() == SessionStatus.ARCHIVED) {
            return refusal("session_archived", "the session is archived; reopen it first");
        }
        String name = agentName(state, command);
        Optional<Agent> agent = draft.definitions().agent(name);
        if (agent.isEmpty()) {
            return refusal("unknown_agent", "there is no agent '" + name + "'; there are " + Delegation.names(draft.definitions().agents()));
        }
        if (command.parent() == null && !agent.get().isPrimary()) {
            return refusal("agent_not_primary", "the agent '" + name + "' only works for other agents");
        }
        boolean busy = state.active() != null || !state.queue().isEmpty();
        if (busy && command.mode() == MailboxMode.REJECT) {
            return refusal("session_busy", "a turn is active and the message asked not to wait");
        }
        if (state.queue().size() >= agent.get().limits().maxQueued()) {
            return refusal("queue_full", "%d messages wait already; try again later".formatted(state.queue().size()));
        }
        return Optional.empty();
    }

    private static Optional<Refusal> refusal(String code, String message) {
        return Optional.of(new Refusal(code, message));
    }

    private static boolean isBlank(Block block) {
        return block instanceof Block.Text text && text.text().isBlank();
    }

    private static String agentName(SessionState state, SubmitTurn command) {
        if (command.agent() != null) {
            return command.agent();
        }
        return state.exists() ? state.open().agent() : Agent.DEFAULT;
    }

    private static void open(Draft draft, SubmitTurn command) {
        UUID parentSession = command.parent() == null ? null : command.parent().sessionId();
        open(
                draft, command.meta(), agentName(draft.state(), command), command.channel(), command.channelId(),
                parentSession, null, command.depth(), null);
    }

    private static void open(
            Draft draft,
            CommandMeta meta,
            String agent,
            String channel,
            @Nullable String channelId,
            @Nullable UUID parentSessionId,
            @Nullable UUID forkedFrom,
            int depth,
            @Nullable String title) {
        Session old = draft.state().session();
        long epoch = old == null ? 0 : old.epoch() + 1;
        var key = draft.state().key();
        var eventMeta = new EventMeta(
                meta.host(), key, key.sessionId(epoch), epoch, draft.state().lastSeq() + 1, null, draft.now());
        draft.emit(new SessionOpened(
                eventMeta, channel, channelId, agent, parentSessionId, forkedFrom, depth, title, meta.user()));
    }

    private static void steer(Draft draft, SubmitTurn command) {
        UUID turnId = draft.turn().turnId();
        draft.emit(new TurnSteered(draft.turnMeta(), command.content(), command.meta().outcomePartition()));
        answer(
                draft,
                command.meta(),
                new Outcome.Accepted(
                        draft.state().key(), command.meta().commandId(), draft.state().open().sessionId(), turnId,
                        draft.turn().turn().seq(), Disposition.STEERED, 0));
    }

    private static Optional<QueuedTurn> collecting(Draft draft, SubmitTurn command) {
        if (command.mode() != MailboxMode.COLLECT || command.parent() != null) {
            return Optional.empty();
        }
        return draft.state().queue().stream()
                .filter(turn -> turn.mode() == MailboxMode.COLLECT)
                .findFirst();
    }

    private static void collect(Draft draft, SubmitTurn command, QueuedTurn into) {
        draft.emit(new TurnExtended(
                draft.meta(into.turnId()), command.content(), command.meta().outcomePartition(), hold(draft, command)));
        answer(
                draft,
                command.meta(),
                new Outcome.Accepted(
                        draft.state().key(), command.meta().commandId(), draft.state().open().sessionId(),
                        into.turnId(), into.seq(), Disposition.COLLECTED, position(draft, into.turnId())));
    }

    private static void accept(Draft draft, SubmitTurn command) {
        draft.emit(new TurnAccepted(
                draft.meta(command.meta().commandId()),
                draft.state().open().turns() + 1,
                command.origin(),
                command.originRef(),
                command.mode(),
                agentName(draft.state(), command),
                command.content(),
                command.meta().user(),
                command.replyTo(),
                command.parent(),
                command.meta().outcomePartition(),
                hold(draft, command),
                command.meta().trace()));
    }

    private static @Nullable Instant hold(Draft draft, SubmitTurn command) {
        return command.mode() == MailboxMode.COLLECT ? draft.now().plus(TurnMachine.DEBOUNCE) : null;
    }

    private static void accepted(Draft draft, SubmitTurn command, UUID turnId) {
        SessionState state = draft.state();
        ActiveTurn active = state.active();
        boolean started = active != null && active.turnId().equals(turnId);
        if (!started && position(draft, turnId) < 0) {
            return; // it has ended already, and Finished was remembered as its outcome
        }
        long seq = state.open().turns();
        answer(
                draft,
                command.meta(),
                new Outcome.Accepted(
                        state.key(), command.meta().commandId(), state.open().sessionId(), turnId, seq,
                        started ? Disposition.STARTED : Disposition.QUEUED, started ? 0 : position(draft, turnId)));
    }

    /** How many turns come before this one, counting the active one; -1 where it does not wait. */
    private static int position(Draft draft, UUID turnId) {
        List<QueuedTurn> queue = draft.state().queue();
        int ahead = draft.state().active() == null ? 0 : 1;
        for (int i = 0; i < queue.size(); i++) {
            if (queue.get(i).turnId().equals(turnId)) {
                return i + ahead;
            }
        }
        return -1;
    }

    private static void cancel(Draft draft, CancelTurn command) {
        ActiveTurn active = draft.state().active();
        UUID turnId = command.turnId() != null ? command.turnId() : active == null ? null : active.turnId();
        if (turnId == null) {
            refuse(draft, command, "no_active_turn", "no turn is active");
        } else if (active != null && active.turnId().equals(turnId)) {
            done(draft, command, turnId);
            Turns.cancel(draft, command.reason());
            Turns.startNext(draft);
        } else if (waits(draft.state(), turnId)) {
            done(draft, command, turnId);
            Turns.cancelQueued(draft, turnId, command.reason());
        } else if (draft.surroundings().seen().apply(turnId).isPresent()) {
            refuse(draft, command, "turn_finished", "the turn has ended already");
        } else {
            refuse(draft, command, "unknown_turn", "there is no such turn");
        }
    }

    private static void reset(Draft draft, ResetContext command) {
        String label = command.label() == null ? "" : command.label();
        SessionState state = draft.state();
        if (!state.exists()) {
            refuse(draft, command, "unknown_session", "there is no such session");
        } else if (command.reset() == Reset.REWIND && !state.context().marks().containsKey(label)) {
            refuse(draft, command, "unknown_mark", "there is no mark '" + label + "'");
        } else if (command.reset() == Reset.MARK && state.context().marks().size() >= MAX_MARKS) {
            refuse(draft, command, "too_many_marks", "a session has at most " + MAX_MARKS + " marks");
        } else if (command.reset() == Reset.MARK && state.active() != null) {
            refuse(draft, command, "session_busy", "a mark can be set when no turn is active");
        } else {
            carryOut(draft, command);
        }
    }

    private static void carryOut(Draft draft, ResetContext command) {
        if (command.reset() != Reset.MARK) {
            Turns.cancelNow(draft, "the context was reset");
        }
        if (command.reset() == Reset.NEW) {
            Turns.cancelAllQueued(draft, "a new session was started");
            Session old = draft.state().open();
            draft.emit(new SessionChanged(draft.meta(null), SessionStatus.ARCHIVED, null));
            open(
                    draft, command.meta(), old.agent(), old.channel(), old.channelId(), old.parentSessionId(), null,
                    old.depth(), null);
        } else {
            draft.emit(new ContextReset(draft.meta(null), command.reset(), command.label()));
        }
        done(draft, command, null);
        Turns.startNext(draft);
    }

    private static void change(Draft draft, ChangeSession command) {
        SessionState state = draft.state();
        if (command.change() == Change.OPEN) {
            openByCommand(draft, command);
        } else if (!state.exists()) {
            refuse(draft, command, "unknown_session", "there is no such session");
        } else {
            SessionStatus status = state.open().status();
            SessionStatus next =
                    switch (command.change()) {
                        case ARCHIVE -> SessionStatus.ARCHIVED;
                        case REOPEN -> SessionStatus.ACTIVE;
                        case DELETE -> SessionStatus.DELETED;
                        case OPEN, RENAME -> status;
                    };
            if (next != SessionStatus.ACTIVE) {
                Turns.cancelNow(draft, "the session was closed");
                Turns.cancelAllQueued(draft, "the session was closed");
            }
            if (next != status || command.title() != null) {
                draft.emit(new SessionChanged(draft.meta(null), next, command.title()));
            }
            done(draft, command, null);
        }
    }

    private static void openByCommand(Draft draft, ChangeSession command) {
        String agent = command.agent() == null ? Agent.DEFAULT : command.agent();
        if (draft.state().exists()) {
            refuse(draft, command, "session_exists", "there is a session with this key already");
        } else if (draft.definitions().agent(agent).isEmpty()) {
            refuse(draft, command, "unknown_agent", "there is no agent '" + agent + "'");
        } else {
            open(
                    draft, command.meta(), agent, command.channel(), command.channelId(), null, null, 0,
                    command.title());
            done(draft, command, null);
        }
    }

    private static void fork(Draft draft, ForkSession command) {
        SessionState state = draft.state();
        if (!state.exists()) {
            refuse(draft, command, "unknown_session", "there is no such session");
            return;
        }
        if (command.target().equals(state.key())) {
            refuse(draft, command, "invalid_target", "a session cannot be forked into itself");
            return;
        }
        var turns = state.context().turns();
        boolean running = state.active() != null && !turns.isEmpty();
        long end = running ? turns.getLast().entry() : state.context().next();
        int last = turns.size() - (running ? 2 : 1);
        var piece = new SeedContext(
                new CommandMeta(
                        command.meta().commandId(), command.meta().host(), draft.now(), command.meta().user(), null,
                        command.meta().trace()),
                command.meta().commandId(), state.key(), state.open().sessionId(),
                last < 0 ? null : turns.get(last).turnId(), 0, 1, state.open().agent(), command.title(),
                state.context().summary(), List.of());
        draft.effect(new Effect.Seed(command.target(), piece, state.context().from(), end));
        done(draft, command, null);
    }

    private static void seed(Draft draft, SeedContext command) {
        SessionState state = draft.state();
        var seeding = state.seeding();
        boolean next = seeding == null
                ? command.piece() == 0
                : seeding.forkId().equals(command.forkId()) && seeding.next() == command.piece();
        if (!next || state.active() != null) {
            refuse(draft, command, "session_busy", "the session to fork into is in use");
            return;
        }
        if (!state.exists()) {
            String agent = command.agent() == null ? Agent.DEFAULT : command.agent();
            open(
                    draft, command.meta(), agent, "fork", null, null, command.forkedFrom(), 0, command.title());
        }
        draft.emit(new ContextSeeded(
                draft.meta(null), command.forkId(), command.piece(), command.pieces(), command.summary(),
                command.entries()));
        long index = draft.state().context().next() - command.entries().size();
        for (Entry entry : command.entries()) {
            draft.effect(new Effect.Keep(index++, entry));
        }
        done(draft, command, null);
        Turns.startNext(draft);
    }

    private static void done(Draft draft, TurnCommand command, @Nullable UUID turnId) {
        answer(
                draft,
                command.meta(),
                new Outcome.Accepted(
                        draft.state().key(), command.meta().commandId(), draft.state().open().sessionId(), turnId,
                        null, Disposition.DONE, 0));
    }

    private static void refuse(Draft draft, TurnCommand command, String code, String message) {
        refuse(draft, command, new Refusal(code, message));
    }

    private static void refuse(Draft draft, TurnCommand command, Refusal refusal) {
        UUID commandId = command.meta().commandId();
        answer(
                draft,
                command.meta(),
                new Outcome.Refused(draft.state().key(), commandId, refusal.code(), refusal.message()));
        if (command instanceof SubmitTurn submit && submit.parent() != null) {
            draft.effect(new Effect.Answer(
                    submit.parent().key(),
                    new CallResult.ChildFinished(
                            submit.parent().callId(), 1, commandId, TurnState.FAILED, refusal.message())));
        }
    }

    private static void answer(Draft draft, CommandMeta meta, Outcome outcome) {
        draft.effect(new Effect.Remember(meta.commandId(), outcome));
        if (meta.outcomePartition() != null) {
            draft.effect(new Effect.Tell(meta.outcomePartition(), outcome));
        }
    }

}
