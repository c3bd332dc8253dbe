package dev.parley.domain.turn;

import dev.parley.domain.Names;
import dev.parley.domain.access.SessionStanding;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.*;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnEventSessionOpenedBuilder;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.session.Mark;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnStart;
import dev.parley.domain.turn.SessionOwnership.Verdict;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Command handling: executes or rejects each command once. */
final class Commands {
    private static final int MAX_MARKS = 16;

    private Commands() {}

    static void decide(TurnDraft draft, TurnCommand command) {
        Verdict verdict = SessionOwnership.decide(draft.state(), command, draft.definitions());
        if (verdict != Verdict.TAKES_OVER && isOfAnotherUser(draft.state(), command)) {
            Outcomes.refuseAsUnknown(draft, command);
            return;
        }
        Optional<Outcome> first = draft.outcome(command.meta().commandId());
        if (first.isPresent()) {
            Outcomes.repeat(draft, command, first.get());
        } else if (verdict == Verdict.HIDDEN) {
            Outcomes.refuseHidden(draft, command);
        } else if (draft.state().isArriving() && !(command instanceof ImportSession) && !isErasure(command)) {
            Outcomes.refuseForNow(draft, command, new Refusal("session_busy", "the session is being imported"));
        } else if (isOfErasedOwner(draft, command)) {
            Outcomes.refuse(draft, command, "erased", "what this belongs to was erased");
        } else {
            guestRefusal(draft, command, verdict)
                    .or(() -> keyRefusal(draft, command))
                    .ifPresentOrElse(
                            refusal -> Outcomes.refuse(draft, command, refusal),
                            () -> execute(draft, command, verdict));
        }
    }

    /** Who takes a session over opens the next one, whatever they are to the one before. */
    private static Optional<Refusal> guestRefusal(TurnDraft draft, TurnCommand command, Verdict verdict) {
        boolean allowed = verdict == Verdict.TAKES_OVER
                || Standing.of(draft.state(), command).allows(Standing.use(draft.state(), command));
        return allowed ? Optional.empty() : Optional.of(Refusal.NOT_YOURS);
    }

    /** No new session has a key that reads as another one. A delegate's key begins with that of its delegator. */
    private static Optional<Refusal> keyRefusal(TurnDraft draft, TurnCommand command) {
        boolean opens = draft.state().session() == null
                && SessionOwnership.opens(command)
                && !(command instanceof SubmitTurn submit
                        && submit.parent() != null
                        && submit.parent().isAgent());
        return opens
                ? Names.problemOfKey(draft.state().key().session())
                        .map(problem -> new Refusal("invalid_key", "the session key " + problem))
                : Optional.empty();
    }

    private static void execute(TurnDraft draft, TurnCommand command, Verdict verdict) {
        if (verdict == Verdict.TAKES_OVER) {
            TakeOver.open(draft, command);
        }
        execute(draft, command);
    }

    private static void execute(TurnDraft draft, TurnCommand command) {
        switch (command) {
            case SubmitTurn submit -> Mailbox.submit(draft, submit);
            case ReviseTurn revise -> Mailbox.revise(draft, revise);
            case CancelTurn cancel -> cancel(draft, cancel);
            case ResetContext reset when reset.reset() == Reset.REVERT -> Reverts.revert(draft, reset);
            case ResetContext reset when reset.reset() == Reset.UNREVERT -> Reverts.unrevert(draft, reset);
            case ResetContext reset -> reset(draft, reset);
            case ChangeSession change -> change(draft, change);
            case Overhear overhear -> QuietContext.overhear(draft, overhear);
            case ListTodos list -> Outcomes.listTodos(draft, list);
            case ListReminders list -> Outcomes.listReminders(draft, list);
            case CancelReminder cancel -> Reminders.cancel(draft, cancel);
            case RefuseReminder refuse -> Reminders.refuse(draft, refuse);
            case SetQuietHours hours -> Reminders.setQuietHours(draft, hours);
            case ChangeHandoff change -> Handoffs.change(draft, change);
            case ListCalls list -> CallerCalls.list(draft, list);
            case AnswerCall answer -> CallerCalls.answer(draft, answer);
            case GiveFeedback feedback -> giveFeedback(draft, feedback);
            case ForkSession fork -> Forks.fork(draft, fork);
            case SeedContext seed -> Forks.seed(draft, seed);
            case ImportSession session -> Imports.replay(draft, session);
            case DecideApproval decision -> Approvals.decide(draft, decision);
            case SetPermissions permissions -> Approvals.setRules(draft, permissions);
        }
    }

    private static boolean isErasure(TurnCommand command) {
        return command instanceof ChangeSession change && change.change() == Change.ERASE;
    }

    /** Whether the user or project was erased while the command was in transit; it must not start a turn. */
    private static boolean isOfErasedOwner(TurnDraft draft, TurnCommand command) {
        CommandMeta meta = command.meta();
        return !draft.state().exists()
                && !isErasure(command)
                && draft.definitions().isErased(draft.state().key(), meta.host(), meta.user());
    }

    /** Whether the session belongs to another user. */
    private static boolean isOfAnotherUser(SessionState state, TurnCommand command) {
        return Standing.of(state, command) == SessionStanding.OUTSIDER;
    }

    /**
     * Opens a session under the key of the state. Owner and user of an earlier session under the key stay, unless the
     * owner of the key's space takes it over.
     *
     * @param opened the event without its metadata, owner and user
     */
    static void open(TurnDraft draft, TurnCommand command, TurnEventSessionOpenedBuilder opened) {
        CommandMeta meta = command.meta();
        Session old = draft.state().session();
        long epoch = old == null ? 0 : old.epoch() + 1;
        var key = draft.state().key();
        var eventMeta = new EventMeta(
                meta.host(), key, key.sessionId(epoch), epoch, draft.state().lastSeq() + 1, null, draft.now());
        Actor owner = SessionOwnership.next(draft.state(), command, draft.definitions());
        boolean ofAnother = command instanceof SubmitTurn submit && submit.posted(); // who sends it does not talk there
        String sender =
                owner.isService() && (ofAnother || SessionOwnership.isInOwnersName(command)) ? null : meta.user();
        String user = old != null && old.user() != null && old.ownedBy(key).equals(owner) ? old.user() : sender;
        draft.emit(opened.meta(eventMeta).user(user).owner(owner).build());
    }

    private static void cancel(TurnDraft draft, CancelTurn command) {
        SessionState state = draft.state();
        UUID activeId = state.active() == null ? null : state.active().turnId();
        UUID turnId = command.turnId() == null ? activeId : command.turnId();
        if (turnId == null) {
            Outcomes.refuse(draft, command, "no_active_turn", "no turn is active");
        } else if (state.findQueued(turnId).filter(QueuedTurn::posted).isPresent()) {
            Outcomes.refuse(draft, command, "turn_finished", "the message was delivered already");
        } else if (state.turn(turnId).isEmpty()) {
            boolean isFinished = draft.outcome(turnId).orElse(null) instanceof Outcome.Finished;
            Outcomes.refuse(
                    draft,
                    command,
                    isFinished ? "turn_finished" : "unknown_turn",
                    isFinished ? "the turn has ended already" : "there is no such turn");
        } else {
            Outcomes.acceptAsDone(draft, command, turnId);
            if (turnId.equals(activeId)) {
                TurnLifecycle.cancel(draft, command.reason());
            } else {
                TurnLifecycle.cancelQueued(draft, state.turn(turnId).get(), command.reason());
            }
        }
    }

    /** Needs nothing of the turn but that it is known: its outcome is stored for seven days. */
    private static void giveFeedback(TurnDraft draft, GiveFeedback command) {
        String author = command.meta().user();
        Optional<Refusal> refusal = !draft.state().exists()
                ? Optional.of(Refusal.UNKNOWN_SESSION)
                : Refusal.when(author == null, "unknown_author", "feedback is somebody's: the command has no author")
                        .or(() -> Refusal.when(
                                !isTurn(draft, command.turnId()),
                                "unknown_turn",
                                "the session has no such turn, or it ended more than seven days ago"));
        if (refusal.isPresent() || author == null) {
            refusal.ifPresent(reason -> Outcomes.refuse(draft, command, reason));
            return;
        }
        draft.emit(new FeedbackGiven(
                draft.meta(null), command.turnId(), author, command.opinion(), command.emoji(), command.reason()));
        Outcomes.acceptAsDone(draft, command, command.turnId());
    }

    private static boolean isTurn(TurnDraft draft, UUID turn) {
        return draft.state().turn(turn).isPresent() || draft.outcome(turn).orElse(null) instanceof Outcome.Finished;
    }

    private static void reset(TurnDraft draft, ResetContext command) {
        Optional<Refusal> refusal = refusal(draft, command);
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
            return;
        }
        UUID undone = command.reset() == Reset.UNDO
                ? lastTurn(draft).map(TurnStart::turnId).orElse(null)
                : null;
        applyReset(draft, command);
        Outcomes.acceptAsDone(draft, command, undone);
    }

    private static Optional<Refusal> refusal(TurnDraft draft, ResetContext command) {
        if (!draft.state().exists()) {
            return Optional.of(Refusal.UNKNOWN_SESSION);
        }
        String label = command.label() == null ? "" : command.label();
        return switch (command.reset()) {
            case REWIND ->
                Refusal.when(
                        !draft.state().context().marks().containsKey(label),
                        "unknown_mark",
                        "there is no mark '" + label + "'");
            case FORGET ->
                Refusal.when(
                        MemorySteps.userBanks(draft, command.meta().user()).isEmpty(),
                        "no_memory",
                        "no memories of yours are stored beyond the conversation");
            case UNDO ->
                Refusal.when(lastTurn(draft).isEmpty(), "nothing_to_undo", "no turn is left that can be taken back");
            case MARK -> markRefusal(draft.state(), label);
            case CLEAR, NEW, REVERT, UNREVERT -> Optional.empty();
        };
    }

    private static Optional<Refusal> markRefusal(SessionState state, String label) {
        Map<String, Mark> marks = state.context().marks();
        return Refusal.when(
                        marks.size() >= MAX_MARKS && !marks.containsKey(label),
                        "too_many_marks",
                        "a session has at most " + MAX_MARKS + " marks")
                .or(() -> Refusal.when(
                        state.active() != null || state.seeding() != null,
                        "session_busy",
                        "a mark can be set when no turn is active"));
    }

    /** The last turn in the model's context; empty if it is a copied turn of another session. */
    private static Optional<TurnStart> lastTurn(TurnDraft draft) {
        var turns = draft.state().context().turns();
        return turns.isEmpty() || draft.state().seeding() != null
                ? Optional.empty()
                : Optional.of(turns.getLast()).filter(last -> isOwn(draft, last.turnId()));
    }

    /** Whether a turn is one of this session, not copied from another. */
    static boolean isOwn(TurnDraft draft, UUID turn) {
        return draft.state().turn(turn).isPresent() || draft.outcome(turn).isPresent();
    }

    private static void applyReset(TurnDraft draft, ResetContext command) {
        if (command.reset() != Reset.MARK) {
            TurnLifecycle.cancelNow(draft, "the context was reset");
            Compaction.cancel(draft);
        }
        if (command.reset() == Reset.NEW) {
            reopen(draft, command);
            return;
        }
        if (command.reset() == Reset.FORGET) {
            MemorySteps.forgetUser(draft, command.meta());
        }
        draft.emit(new ContextReset(draft.meta(null), command.reset(), label(draft, command)));
    }

    /** Archives the session and opens the next one under its key. */
    private static void reopen(TurnDraft draft, ResetContext command) {
        Handoffs.end(draft, Handoff.Change.ENDED, command.meta().user(), "a new session was started");
        TurnLifecycle.cancelAllQueued(draft, "a new session was started");
        Session old = draft.state().open();
        draft.emit(new SessionChanged(draft.meta(null), SessionStatus.ARCHIVED, null, null));
        open(
                draft,
                command,
                TurnEventSessionOpenedBuilder.builder()
                        .agent(old.agent())
                        .channel(old.channel())
                        .channelId(old.channelId())
                        .parentSessionId(old.parentSessionId())
                        .depth(old.depth()));
    }

    private static @Nullable String label(TurnDraft draft, ResetContext command) {
        return command.reset() == Reset.UNDO
                ? Long.toString(draft.state().context().turns().getLast().seq())
                : command.label();
    }

    private static void change(TurnDraft draft, ChangeSession command) {
        SessionState state = draft.state();
        if (command.change() == Change.OPEN) {
            openByCommand(draft, command);
        } else if (command.lastSeq() != null && command.lastSeq() != state.lastSeq()) {
            Outcomes.refuse(draft, command, "session_changed", "something has happened to the session since");
        } else if (command.change() == Change.ERASE && state.session() != null) {
            erase(draft, command);
            Outcomes.acceptAsDone(draft, command, null);
        } else if (!state.exists()) {
            Outcomes.refuse(draft, command, Refusal.UNKNOWN_SESSION);
        } else {
            changeExisting(draft, command);
        }
    }

    private static void changeExisting(TurnDraft draft, ChangeSession command) {
        Optional<Refusal> refusal = TurnAdmission.refusal(draft, draft.sessionAgent(), command.settings());
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
            return;
        }
        SessionStatus status = draft.state().open().status();
        SessionStatus next = nextStatus(command.change(), status);
        Settings settings = command.change() == Change.CONFIGURE ? command.settings() : null;
        if (next != SessionStatus.ACTIVE) {
            cancelTurns(draft);
        }
        if (next == SessionStatus.DELETED) {
            Compaction.cancel(draft);
        }
        if (next != status || command.title() != null || settings != null) {
            draft.emit(new SessionChanged(draft.meta(null), next, command.title(), settings));
        }
        Outcomes.acceptAsDone(draft, command, null);
    }

    private static SessionStatus nextStatus(Change change, SessionStatus status) {
        return switch (change) {
            case ARCHIVE -> SessionStatus.ARCHIVED;
            case REOPEN -> SessionStatus.ACTIVE;
            case DELETE, ERASE -> SessionStatus.DELETED;
            case OPEN, RENAME, CONFIGURE -> status;
        };
    }

    private static void erase(TurnDraft draft, ChangeSession command) {
        cancelTurns(draft);
        Compaction.cancel(draft);
        UUID erasure = command.meta().commandId();
        MemorySteps.forgetSession(draft, erasure);
        draft.emit(new SessionErased(draft.meta(null), erasure, command.meta().user()));
        draft.effect(new TurnEffect.EraseSession(erasure));
    }

    private static void cancelTurns(TurnDraft draft) {
        Handoffs.end(draft, Handoff.Change.ENDED, null, "the session was closed");
        TurnLifecycle.cancelNow(draft, "the session was closed");
        TurnLifecycle.cancelAllQueued(draft, "the session was closed");
    }

    /** The reason why no session can be opened under this key for that agent; empty if one can. */
    static Optional<Refusal> openRefusal(TurnDraft draft, String agent) {
        if (draft.state().exists()) {
            return Optional.of(new Refusal("session_exists", "there is a session with this key already"));
        }
        return Refusal.when(
                draft.definitions().agent(agent).isEmpty(), "unknown_agent", "there is no agent '" + agent + "'");
    }

    private static void openByCommand(TurnDraft draft, ChangeSession command) {
        String agent = command.agent() == null ? Agent.DEFAULT : command.agent();
        Optional<Refusal> refusal = openRefusal(draft, agent)
                .or(() -> TurnAdmission.refusal(draft, draft.agent(agent, ""), command.settings()));
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
        } else {
            open(
                    draft,
                    command,
                    TurnEventSessionOpenedBuilder.builder()
                            .agent(agent)
                            .channel(command.channel())
                            .channelId(command.channelId())
                            .title(command.title()));
            if (command.settings() != null) {
                draft.emit(new SessionChanged(draft.meta(null), SessionStatus.ACTIVE, null, command.settings()));
            }
            Outcomes.acceptAsDone(draft, command, null);
        }
    }
}
