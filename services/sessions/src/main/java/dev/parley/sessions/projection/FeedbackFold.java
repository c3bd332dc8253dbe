package dev.parley.sessions.projection;

import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.TurnCommand.GiveFeedback;
import dev.parley.domain.protocol.TurnEvent.FeedbackGiven;
import java.util.Locale;

/** Folds opinions about turns. The turn may belong to an earlier session of the key, and keeps its row. */
final class FeedbackFold extends RowFold {
    FeedbackFold(SessionBatch rows) {
        super(rows);
    }

    void feedbackGiven(FeedbackGiven e) {
        Row.Turn turn = rows.turn(e.meta().host(), e.turnId());
        if (turn == null) {
            throw new RejectedEventException(
                    "turn " + e.turnId() + " is not known: the event that accepted it is missing");
        }
        var feedback = initialise(turn, e.meta(), new Row.Feedback());
        feedback.turnId = e.turnId();
        feedback.userId = ColumnText.clip(e.by(), 256);
        feedback.emoji = e.emoji() == null ? "" : ColumnText.clip(e.emoji(), GiveFeedback.MAX_EMOJI);
        feedback.opinion = e.opinion().name().toLowerCase(Locale.ROOT);
        String reason = e.opinion() == Opinion.WITHDRAWN ? null : e.reason();
        feedback.reason = reason == null ? null : ColumnText.clean(reason);
        feedback.givenTs = at(e.meta());
        feedback.updateUser = feedback.userId;
        rows.add(feedback);
    }
}
