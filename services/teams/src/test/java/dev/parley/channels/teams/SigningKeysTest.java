package dev.parley.channels.teams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.testkit.teams.TeamsTokens;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B210")
class SigningKeysTest {
    private final TeamsTokens tokens = new TeamsTokens();
    private Instant now = Instant.EPOCH;
    private boolean isAway;
    private final SigningKeys keys = new SigningKeys(this::fetch, () -> now);

    private JsonNode fetch() throws TeamsApiException {
        String set = tokens.keysOfBots();
        if (isAway) {
            throw TeamsApiException.of(Kind.LATER, "away", null);
        }
        try {
            return new ObjectMapper().readTree(set);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void fetchesKeysOnceAnHour() throws Exception {
        assertTrue(keys.find("bots-1").isPresent());
        assertTrue(keys.find("bots-1").isPresent());
        assertEquals(1, tokens.fetched());

        now = now.plus(Duration.ofMinutes(61));
        assertTrue(keys.find("bots-1").isPresent());
        assertEquals(2, tokens.fetched());
    }

    @Test
    void findsANewKeyAtOnceAndForgetsTheOldOne() throws Exception {
        assertTrue(keys.find("bots-1").isPresent());
        tokens.rotates();

        assertTrue(keys.find("bots-2").isPresent());
        assertFalse(keys.find("bots-1").isPresent());
    }

    @Test
    void inventedKeysCauseThreeFetchesAMinute() throws Exception {
        for (int i = 0; i < 100; i++) {
            assertFalse(keys.find("invented-" + i).isPresent());
        }
        assertEquals(3, tokens.fetched());
        assertTrue(keys.find("bots-1").isPresent(), "known keys are used meanwhile");

        now = now.plusSeconds(61);
        tokens.rotates();
        assertTrue(keys.find("bots-2").isPresent());
    }

    @Test
    void usesKnownKeysWhileTheServiceIsAway() throws Exception {
        assertTrue(keys.find("bots-1").isPresent());
        isAway = true;
        now = now.plus(Duration.ofHours(2));

        assertTrue(keys.find("bots-1").isPresent());
    }
}
