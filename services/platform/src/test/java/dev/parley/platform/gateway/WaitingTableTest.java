package dev.parley.platform.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.gateway.WaitingTable.Waiting;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WaitingTableTest {
    private static final RecordKey KEY = RecordKey.of("a:b");
    private static final UUID COMMAND = new UUID(0, 1);
    private static final UUID TURN = new UUID(0, 2);

    private final WaitingTable table = new WaitingTable(2, Runnable::run);

    private Waiting waiting(UUID id) {
        var waiting = new Waiting(id, 3, 100);
        assertTrue(table.add(waiting));
        return waiting;
    }

    private static Outcome accepted(Disposition disposition) {
        return new Outcome.Accepted(KEY, COMMAND, COMMAND, TURN, 1L, disposition, 0);
    }

    private static Outcome.Finished finished(UUID turn) {
        return new Outcome.Finished(
                KEY,
                turn,
                COMMAND,
                1,
                TurnState.COMPLETED,
                "",
                "",
                null,
                null,
                null,
                Usage.NONE,
                Instant.EPOCH,
                Instant.EPOCH);
    }

    @Test
    void messageThatJoinsATurnWaitsForThatTurn() {
        var waiting = waiting(COMMAND);
        table.deliver(accepted(Disposition.STEERED));
        assertFalse(waiting.finished.isDone());
        table.deliver(finished(TURN));
        assertEquals(TURN, waiting.finished.join().turnId());
        assertEquals(accepted(Disposition.STEERED), waiting.outcome.join());
    }

    @Test
    void commandWithoutATurnDoesNotFinish() {
        var waiting = waiting(COMMAND);
        table.deliver(accepted(Disposition.DONE));
        table.deliver(finished(TURN));
        assertFalse(waiting.finished.isDone());
    }

    @Test
    void finishedTurnCompletesAllWaitersOfItsCommand() {
        var first = waiting(COMMAND);
        var second = waiting(COMMAND);
        table.deliver(finished(COMMAND));
        assertEquals(first.outcome.join(), second.finished.join());
    }

    @Test
    void isBoundedAndExpiresEntries() {
        var first = waiting(COMMAND);
        waiting(TURN);
        assertFalse(table.add(new Waiting(COMMAND, null, 100)));
        assertEquals(Set.of(3), table.partitions());
        table.remove(first);
        table.remove(first);
        assertEquals(1, table.size());
        table.expire(101);
        assertEquals(0, table.size());
        table.deliver(accepted(Disposition.STARTED));
        assertFalse(first.outcome.isDone());
    }
}
