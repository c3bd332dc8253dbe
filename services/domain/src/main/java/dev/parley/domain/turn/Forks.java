package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Todo;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand.ForkSession;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.SeedContext;
import dev.parley.domain.protocol.TurnEvent.ContextReset;
import dev.parley.domain.protocol.TurnEvent.ContextSeeded;
import dev.parley.domain.protocol.TurnEvent.TodosChanged;
import dev.parley.domain.protocol.TurnEventSessionOpenedBuilder;
import dev.parley.domain.session.Seeding;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnStart;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Forking: copies a session's context to another session, in pieces. */
final class Forks {
    private Forks() {}

    static void fork(TurnDraft draft, ForkSession command) {
        SessionState state = draft.state();
        if (!state.exists()) {
            Outcomes.refuse(draft, command, Refusal.UNKNOWN_SESSION);
        } else if (command.target().equals(state.key())) {
            Outcomes.refuse(draft, command, "invalid_target", "a session cannot be forked into itself");
        } else if (state.seeding() != null) {
            Outcomes.refuse(draft, command, "session_busy", "the session's own context has not arrived yet");
        } else {
            Optional<Refusal> refusal = command.upTo() == null ? Optional.empty() : copyRefusal(state, command.upTo());
            if (refusal.isPresent()) {
                Outcomes.refuse(draft, command, refusal.get());
            } else {
                copy(draft, command);
                Outcomes.storeAccepted(draft, command.meta().commandId()); // the target sends the outcome
            }
        }
    }

    /** The reason why the context up to the end of a turn cannot be copied; empty if it can. */
    private static Optional<Refusal> copyRefusal(SessionState state, UUID turn) {
        if (state.turn(turn).isPresent()) {
            return Optional.of(new Refusal("session_busy", "the turn has not ended yet"));
        }
        int index = index(state.context().turns(), turn);
        if (index < 0) {
            return Optional.of(Refusal.notInContext("unknown_turn", "the turn", turn));
        }
        boolean isLast =
                index == state.context().turns().size() - 1 && state.queue().isEmpty();
        return Refusal.when(isLast, "turn_is_last", "this is the last turn of the session");
    }

    private static int index(List<TurnStart> turns, UUID turn) {
        return turns.stream().map(TurnStart::turnId).toList().indexOf(turn);
    }

    /** The number of turns to copy: up to the named turn, or all completed ones. */
    private static int turnsToCopy(SessionState state, ForkSession command) {
        var turns = state.context().turns();
        if (command.upTo() != null) {
            return index(turns, command.upTo()) + 1;
        }
        return state.active() == null ? turns.size() : turns.size() - 1;
    }

    /**
     * Copies all turns except the active one. The first piece carries the command's id, so its outcome answers the
     * command.
     */
    private static void copy(TurnDraft draft, ForkSession command) {
        SessionState state = draft.state();
        var context = state.context();
        var turns = context.turns();
        int copied = turnsToCopy(state, command);
        var copiedTurns = turns.subList(0, copied);
        long end = copied == turns.size() ? context.next() : turns.get(copied).entry();
        var piece = new SeedContext(
                command.meta().asOf(draft.now()).toAny(),
                command.meta().commandId(),
                state.key(),
                state.open().sessionId(),
                copiedTurns.isEmpty() ? null : copiedTurns.getLast().turnId(),
                0,
                1,
                state.open().agent(),
                command.title(),
                context.summary(),
                List.of());
        draft.effect(new TurnEffect.SendContext(command.target(), piece, context.from(), end));
    }

    /** Handles a duplicate of a forwarded fork: asks the target session to repeat the outcome. */
    static void requestOutcome(TurnDraft draft, ForkSession command, Outcome.Accepted before) {
        var question = new SeedContext(
                command.meta(),
                command.meta().commandId(),
                before.key(),
                before.sessionId(),
                null,
                SeedContext.QUESTION,
                0,
                null,
                null,
                null,
                List.of());
        draft.effect(new TurnEffect.SendCommand(command.target(), question));
    }

    static void seed(TurnDraft draft, SeedContext command) {
        SessionState state = draft.state();
        Optional<Refusal> refusal =
                isImport(state, command) ? Commands.openRefusal(draft, agent(command)) : Optional.empty();
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
        } else if (!isExpected(state, command)) {
            Outcomes.refuse(draft, command, "session_busy", "the session to fork into is in use");
        } else if (state.exists() && state.open().status() == SessionStatus.ARCHIVED) {
            Outcomes.refuse(draft, command, "session_archived", "the session to fork into is archived");
        } else {
            append(draft, command);
            Outcomes.acceptAsDone(draft, command, null);
        }
    }

    private static String agent(SeedContext command) {
        return command.agent() == null ? Agent.DEFAULT : command.agent();
    }

    /** Whether this is an imported conversation, not a fork: no session is forked to itself. */
    private static boolean isImport(SessionState state, SeedContext command) {
        return command.source().equals(state.key());
    }

    private static boolean isExpected(SessionState state, SeedContext command) {
        Seeding seeding = state.seeding();
        return seeding == null
                ? command.piece() == 0 && state.active() == null
                : command.forkId().equals(seeding.forkId()) && command.piece() == seeding.next();
    }

    private static void append(TurnDraft draft, SeedContext command) {
        if (!draft.state().exists()) {
            open(draft, command);
        }
        Compaction.cancel(draft);
        draft.emit(new ContextSeeded(
                draft.meta(null),
                command.forkId(),
                command.piece(),
                command.pieces(),
                command.summary(),
                command.entries()));
        if (isImport(draft.state(), command)) {
            todos(command.entries()).ifPresent(todos -> draft.emit(new TodosChanged(draft.meta(null), todos)));
        }
    }

    private static void open(TurnDraft draft, SeedContext command) {
        boolean isImported = isImport(draft.state(), command);
        List<RecordKey> delegators = isImported ? delegators(draft.state().key()) : List.of();
        Commands.open(
                draft,
                command,
                TurnEventSessionOpenedBuilder.builder()
                        .agent(agent(command))
                        .channel(isImported ? "import" : "fork")
                        .parentSessionId(
                                delegators.isEmpty()
                                        ? null
                                        : delegators.getFirst().sessionId(0))
                        .forkedFrom(command.forkedFrom())
                        .depth(delegators.size())
                        .title(command.title()));
    }

    /** The todo list written by the last such call of an imported conversation, if any. */
    private static Optional<List<Todo>> todos(List<Entry> entries) {
        return entries.reversed().stream()
                .flatMap(entry -> Message.toolCalls(entry.message().blocks()).reversed().stream())
                .filter(call -> call.name().equals(ToolSpec.TODO_WRITE))
                .map(call -> {
                    try {
                        return Todos.read(call.arguments());
                    } catch (IllegalArgumentException e) {
                        return List.<Todo>of(); // an invalid call has changed no list
                    }
                })
                .filter(todos -> !todos.isEmpty())
                .findFirst();
    }

    /** The delegating sessions that an imported session's key names: it remains their delegate. */
    private static List<RecordKey> delegators(RecordKey key) {
        return Stream.iterate(
                        key.delegator(), Optional::isPresent, delegator -> delegator.flatMap(RecordKey::delegator))
                .map(Optional::get)
                .toList();
    }

    /** Drops a fork whose pieces did not arrive in time: a partial context is never used. */
    static void tick(TurnDraft draft) {
        Seeding seeding = draft.state().seeding();
        if (seeding != null && TurnMachine.isDue(seeding.until(), draft)) {
            draft.emit(new ContextReset(draft.meta(null), Reset.CLEAR, null));
        }
    }
}
