package dev.parley.sessions.projection;

import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.TurnCommand.ChangeHandoff;
import dev.parley.domain.protocol.TurnEvent.HandoffChanged;
import java.util.Locale;
import java.util.Objects;

/** Folds handoffs: each event has the whole of one. */
final class HandoffFold extends RowFold {
    HandoffFold(SessionBatch rows) {
        super(rows);
    }

    void handoffChanged(Row.Session session, HandoffChanged e) {
        Handoff handoff = e.handoff();
        var row = initialise(session, e.meta(), new Row.Handoff());
        row.handoffId = handoff.id();
        row.status = e.change().name().toLowerCase(Locale.ROOT);
        row.askedBy = ColumnText.clipNullable(handoff.askedBy(), 256);
        row.reason = ColumnText.clean(handoff.reason());
        row.operatorId = ColumnText.clipNullable(handoff.operator(), 256);
        row.operatorName = ColumnText.clip(handoff.name(), ChangeHandoff.MAX_NAME);
        row.askedTs = at(handoff.askedAt());
        row.takenTs = handoff.takenAt() == null ? null : at(handoff.takenAt());
        row.endedTs = e.change().isOver() ? at(e.meta()) : null;
        row.updateUser = Objects.requireNonNullElse(ColumnText.clipNullable(e.by(), 256), Row.PARLEY);
        rows.add(row);
    }
}
