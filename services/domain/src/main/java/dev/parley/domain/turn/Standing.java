package dev.parley.domain.turn;

import dev.parley.domain.access.SessionStanding;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.*;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the author of a command may do in a session where several people write. */
final class Standing {
    private Standing() {}

    /** How the author stands to the session. Commands that are limited to nobody's sessions count as a leader's. */
    public static SessionStanding of(SessionState state, TurnCommand command) {
        CommandMeta meta = command.meta();
        Session session = state.session();
        boolean owns = session == null || Objects.equals(session.user(), meta.user());
        boolean unlimited = !meta.ownOnly() && !meta.guest();
        return SessionStanding.of(owns, meta.guest(), unlimited);
    }

    /** What the command needs. */
    static Use use(SessionState state, TurnCommand command) {
        return switch (command) {
            case ListTodos _, ListReminders _, ListCalls _, ForkSession _, GiveFeedback _ -> Use.READ;
            case SubmitTurn submit -> submits(state, submit);
            case CancelTurn cancel -> ofTurn(state, cancel.turnId(), cancel.meta());
            case CancelReminder _, SetQuietHours _ -> Use.WRITE; // of one's own
            case ReviseTurn _, AnswerCall _, DecideApproval _, ChangeHandoff _, Overhear _ ->
                Use.WRITE; // the turn decides whose it is
            case ChangeSession change -> change.change() == Change.OPEN ? Use.WRITE : Use.MANAGE;
            case ResetContext _, SeedContext _, ImportSession _, SetPermissions _, RefuseReminder _ -> Use.MANAGE;
        };
    }

    private static Use submits(SessionState state, SubmitTurn submit) {
        if (submit.retries() != null || submit.posted()) {
            return Use.MANAGE; // takes back turns, or speaks for the agent
        }
        return submit.mode() == MailboxMode.INTERRUPT ? ofTurn(state, null, submit.meta()) : Use.WRITE;
    }

    /** @param turnId null for the active one */
    private static Use ofTurn(SessionState state, @Nullable UUID turnId, CommandMeta meta) {
        UUID active = state.active() == null ? null : state.active().turnId();
        UUID turn = turnId == null ? active : turnId;
        boolean isOfAnother = turn != null
                && state.turn(turn)
                        .filter(found -> !Objects.equals(found.user(), meta.user()))
                        .isPresent();
        return isOfAnother ? Use.MANAGE : Use.WRITE;
    }

    /**
     * Whether the author may answer what a turn asks: its calls run with the rights of the one whose message began it,
     * so that person answers, and who leads the project. Turns of unknown people are answered by whoever may write.
     */
    static boolean answers(QueuedTurn turn, CommandMeta meta) {
        return meta.leads() || turn.user() == null || turn.user().equals(meta.user());
    }
}
