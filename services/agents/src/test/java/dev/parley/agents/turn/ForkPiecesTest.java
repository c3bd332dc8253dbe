package dev.parley.agents.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.TurnCommand.SeedContext;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ForkPiecesTest {
    private static final UUID FORK = Ids.of("fork");
    private static final RecordKey SOURCE = RecordKey.of("cli:ann");

    private static SeedContext first() {
        var meta = new CommandMeta(FORK, Ids.of("host"), Instant.EPOCH, "ann", null, null);
        return new SeedContext(meta, FORK, SOURCE, SOURCE.sessionId(0), null, 0, 1, null, "title", null, List.of());
    }

    private static Entry entry(int characters) {
        return new Entry(Ids.of("turn"), 1, Message.text(Role.USER, "x".repeat(characters)));
    }

    @Test
    void splitsHeavyContexts() {
        // Given
        Entry heavy = entry(1_100_000);
        Entry light = entry(10);

        // When
        List<SeedContext> pieces = ForkPieces.of(first(), List.of(light, light, heavy, light));

        // Then
        assertEquals(
                List.of(List.of(light, light), List.of(heavy), List.of(light)),
                pieces.stream().map(SeedContext::entries).toList());
        assertEquals(List.of(0, 1, 2), pieces.stream().map(SeedContext::piece).toList());
        assertEquals(List.of(3, 3, 3), pieces.stream().map(SeedContext::pieces).toList());
        assertEquals(
                List.of(FORK, ForkPieces.id(FORK, 1), ForkPieces.id(FORK, 2)),
                pieces.stream().map(piece -> piece.meta().commandId()).toList());
    }

    @Test
    void sendsAnEmptyContextAsOnePiece() {
        assertEquals(List.of(first()), ForkPieces.of(first(), List.of()));
    }
}
