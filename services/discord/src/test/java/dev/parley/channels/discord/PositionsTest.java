package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.SeenMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PositionsTest {
    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
    private static final Duration MARGIN = Duration.ofMinutes(10);

    private final Map<String, String> stored = new HashMap<>();
    private final SeenMessages seen = new SeenMessages() {
        @Override
        public void record(String chat, String message) {
            stored.put(chat, message);
        }

        @Override
        public Optional<String> last(String chat) {
            return Optional.ofNullable(stored.get(chat));
        }

        @Override
        public Map<String, String> last() {
            return Map.copyOf(stored);
        }
    };

    private Positions loaded(Instant now) {
        var positions = new Positions(seen);
        positions.load(now);
        return positions;
    }

    private static long at(Duration before) {
        return Positions.at(NOW.minus(before));
    }

    @Test
    void newBotFetchesMessagesOfTheLastTenMinutes() {
        assertEquals(at(MARGIN), loaded(NOW).missedAfter("@1", NOW));
    }

    @Test
    void fetchesMessagesAfterTheLastOneOfAChat() {
        Positions before = loaded(NOW.minus(Duration.ofHours(2)));
        before.rememberChat("@1", at(Duration.ofHours(1)));
        before.markHandled("@1", at(Duration.ofHours(1)));
        before.save();

        Positions after = loaded(NOW);

        assertEquals(List.of("@1"), after.chats());
        assertTrue(after.missedAfter("@1", NOW) < at(Duration.ofHours(1)));
        assertTrue(after.missedAfter("@1", NOW) >= at(Duration.ofHours(1).plusSeconds(5)));
    }

    @Test
    void storesAChatBeforeItsFirstMessageIsTaken() {
        loaded(NOW).rememberChat("@1", at(Duration.ZERO));

        assertTrue(loaded(NOW).missedAfter("@1", NOW) < at(Duration.ZERO));
    }

    @Test
    void unknownChatsAreFetchedFromTheLastSettledPosition() {
        Positions before = loaded(NOW.minus(Duration.ofHours(2)));
        before.settle();
        before.markHandled("55", at(Duration.ofHours(1)));
        before.save();

        assertEquals(at(Duration.ofHours(1).plus(MARGIN)), loaded(NOW).missedAfter("77", NOW));
    }

    @Test
    void advancesTheSettledPositionOnlyAfterAllMissedMessages() {
        Positions positions = loaded(NOW.minus(Duration.ofHours(2)));
        long start = positions.missedAfter("77", NOW);
        positions.unsettle();
        positions.markHandled("55", at(Duration.ZERO));
        assertEquals(start, positions.missedAfter("77", NOW));

        positions.settle();

        assertEquals(at(MARGIN), positions.missedAfter("77", NOW));
    }

    @Test
    void ignoresMissedMessagesOlderThanADay() {
        stored.put("@1", Long.toString(at(Duration.ofDays(9))));
        assertEquals(at(Duration.ofDays(1)), loaded(NOW).missedAfter("@1", NOW));
    }

    @Test
    void storesOnlyChatsThatAddressedTheBot() {
        Positions positions = loaded(NOW);
        positions.markHandled("55", at(Duration.ZERO));
        positions.save();
        assertFalse(stored.containsKey("55"));
    }

    @Test
    void doesNotSkipEarlierMessagesThatArriveLater() {
        Positions positions = loaded(NOW);
        positions.markHandled("55", 1_000);
        assertTrue(positions.has(1_000));
        assertFalse(positions.has(999));
    }
}
