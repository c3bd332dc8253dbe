package dev.parley.agents.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.session.SessionState;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionCacheTest {
    private static final RecordKey ANN = RecordKey.of("cli:ann");
    private static final RecordKey BOB = RecordKey.of("cli:bob");

    private final SessionCache cache = new SessionCache(20_000);

    @Test
    void entriesOfCachedSessionsCountTowardsTheLimit() {
        // Given
        cache.add(SessionState.initial(ANN));
        cache.add(SessionState.initial(BOB));

        // When
        cache.putEntry(BOB, 0, entry("x".repeat(30_000)));

        // Then
        assertNull(cache.session(ANN));
        assertNotNull(cache.session(BOB), "the one that was used last stays");
        assertEquals(1, cache.entries(BOB, 0, 1).orElseThrow().size());
    }

    @Test
    void doesNotEvictUnwrittenSessions() {
        // Given
        cache.update(SessionState.initial(ANN));
        cache.add(SessionState.initial(BOB));

        // When
        cache.putEntry(BOB, 0, entry("x".repeat(30_000)));

        // Then
        assertEquals(SessionState.initial(ANN), cache.session(ANN));
        assertTrue(cache.takeUnwritten().contains(SessionState.initial(ANN)));
    }

    private static Entry entry(String text) {
        return new Entry(Ids.of("turn"), 1, new Message(Role.USER, List.of(Block.text(text)), false, null, null));
    }
}
