package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.AnswerCall;
import dev.parley.domain.protocol.TurnCommand.CancelReminder;
import dev.parley.domain.protocol.TurnCommand.CancelTurn;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeHandoff;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.TurnCommand.ForkSession;
import dev.parley.domain.protocol.TurnCommand.GiveFeedback;
import dev.parley.domain.protocol.TurnCommand.ImportSession;
import dev.parley.domain.protocol.TurnCommand.ListCalls;
import dev.parley.domain.protocol.TurnCommand.ListReminders;
import dev.parley.domain.protocol.TurnCommand.ListTodos;
import dev.parley.domain.protocol.TurnCommand.Overhear;
import dev.parley.domain.protocol.TurnCommand.RefuseReminder;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import dev.parley.domain.protocol.TurnCommand.ReviseTurn;
import dev.parley.domain.protocol.TurnCommand.SeedContext;
import dev.parley.domain.protocol.TurnCommand.SetPermissions;
import dev.parley.domain.protocol.TurnCommand.SetQuietHours;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.session.Owners;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import java.util.Optional;

/**
 * The rule who may open a session, for every command that can: the one place that decides it.
 *
 * <ul>
 *   <li>A key in {@linkplain KeySpaces somebody's space} is opened by them alone, whatever rights others have. A host
 *       administrator's import is made in their name.
 *   <li>Bots, processes, delegates and schedules open sessions in their own space only.
 *   <li>A key that such an owner had is not opened by anybody else, even if the session was deleted.
 *   <li>Where the owner of a space meets a session of somebody else, it does not use it: a turn opens the next epoch,
 *       and every other command finds no session.
 *   <li>No service uses a session that a person has in the space of another one: its replies would go to a chat.
 *   <li>All other keys are free; who may use an existing session is not decided here.
 * </ul>
 */
final class SessionOwnership {
    private SessionOwnership() {}

    /** The verdict about a command. */
    enum Verdict {
        /** As far as ownership is concerned. */
        ALLOWED,
        /** The session is of somebody else than the owner of the space, who opens the next one. */
        TAKES_OVER,
        /** Treated as if there was no session. */
        HIDDEN
    }

    /** Decides about a command to a session. */
    static Verdict decide(SessionState state, TurnCommand command, Definitions definitions) {
        Actor actor = Owners.sender(state.key(), command);
        if (command instanceof ChangeSession change && change.change() == Change.ERASE) {
            return Verdict.ALLOWED; // what is erased is everybody's
        }
        if (state.exists()) {
            boolean isKnown = command.meta().actor().isKnown();
            if (isKnown && isTaken(state.key(), state.open(), actor, definitions)) {
                return Verdict.HIDDEN;
            }
            return isKnown && isForeign(state.key(), state.open(), actor, definitions)
                    ? takesOver(command) ? Verdict.TAKES_OVER : Verdict.HIDDEN
                    : Verdict.ALLOWED;
        }
        return !opens(command) || isInOwnersName(command) || mayOpen(state, command, actor, definitions)
                ? Verdict.ALLOWED
                : Verdict.HIDDEN;
    }

    /** Whether a command can open a session under an unused key. */
    static boolean opens(TurnCommand command) {
        return switch (command) {
            case SubmitTurn _, ImportSession _ -> true;
            case SeedContext seed -> seed.piece() != SeedContext.QUESTION;
            case ChangeSession change -> change.change() == Change.OPEN;
            // A reset to a new session needs an old one, whose owner stays; a fork opens its target by SeedContext.
            case ResetContext _,
                    ForkSession _,
                    ReviseTurn _,
                    CancelTurn _,
                    DecideApproval _,
                    SetPermissions _,
                    AnswerCall _,
                    GiveFeedback _,
                    ChangeHandoff _,
                    Overhear _,
                    ListCalls _,
                    ListTodos _,
                    ListReminders _,
                    CancelReminder _,
                    RefuseReminder _,
                    SetQuietHours _ -> false;
        };
    }

    private static boolean takesOver(TurnCommand command) {
        return command instanceof SubmitTurn submit
                && submit.retries() == null
                && !submit.meta().existingOnly();
    }

    /** Whether a host administrator imports sessions of others, which stay theirs. */
    static boolean isInOwnersName(TurnCommand command) {
        return command instanceof ImportSession || command instanceof SeedContext seed && seed.forOwner();
    }

    private static boolean mayOpen(SessionState state, TurnCommand command, Actor actor, Definitions definitions) {
        RecordKey key = state.key();
        if (KeySpaces.isOf(actor, key, definitions)) {
            return true;
        }
        Session old = state.session();
        boolean isServices =
                actor.isService() || old != null && old.ownedBy(key).isService();
        boolean isFromBefore = !command.meta().actor().isKnown(); // its sender is only derived
        return (isFromBefore || !isServices)
                && KeySpaces.owner(key, definitions).isEmpty();
    }

    /** Whether the session is in the space of this actor, but of somebody else. */
    private static boolean isForeign(RecordKey key, Session session, Actor actor, Definitions definitions) {
        Actor owner = session.ownedBy(key);
        return !owner.equals(actor)
                && !(owner.equals(Actor.OPERATOR) && !actor.isService())
                && KeySpaces.isOf(actor, key, definitions);
    }

    /** Whether a service meets a session that a person has in the space of another service. */
    private static boolean isTaken(RecordKey key, Session session, Actor actor, Definitions definitions) {
        return actor.isService()
                && !session.ownedBy(key).isService()
                && !KeySpaces.isOf(actor, key, definitions)
                && KeySpaces.owner(key, definitions).filter(Actor::isService).isPresent();
    }

    /** The owner of the next session under a key, which a command opens. */
    static Actor next(SessionState state, TurnCommand command, Definitions definitions) {
        RecordKey key = state.key();
        Actor actor = Owners.sender(key, command);
        Optional<Actor> space = isInOwnersName(command) ? KeySpaces.owner(key, definitions) : Optional.empty();
        Session old = state.session();
        return old == null || isForeign(key, old, actor, definitions) ? space.orElse(actor) : old.ownedBy(key);
    }

    /** The refusal of a command for a session that is hidden: the same whether there is one or not. */
    static Refusal refusal(TurnDraft draft, TurnCommand command) {
        return opens(command)
                        && KeySpaces.owner(draft.state().key(), draft.definitions())
                                .isPresent()
                ? RESERVED
                : Refusal.UNKNOWN_SESSION;
    }

    private static final Refusal RESERVED = new Refusal(
            Refusal.UNKNOWN_SESSION.code(),
            "there is no such session of yours, and keys of bots, workflows, schedules, delegates and other people's"
                    + " terminals are opened by these alone; choose another key");
}
