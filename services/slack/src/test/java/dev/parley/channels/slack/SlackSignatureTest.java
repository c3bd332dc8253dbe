package dev.parley.channels.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SlackSignatureTest {
    /** The example of Slack's documentation. */
    private static final String SECRET = "8f742231b10e8888abcd99yyyzzz85a5";

    private static final String TIME = "1531420618";
    private static final byte[] BODY =
            ("token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
                            + "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
                            + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554"
                            + "%2F96rGlfmibIGlgcZRskXaIFfN"
                            + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c")
                    .getBytes(StandardCharsets.UTF_8);
    private static final String SIGNATURE = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
    private static final Instant NOW = Instant.ofEpochSecond(1_531_420_618);

    @Test
    void acceptsTheExampleOfSlacksDocumentation() {
        assertEquals(SIGNATURE, SlackSignature.of(SECRET, TIME, BODY));
        assertTrue(SlackSignature.isOf(SECRET, TIME, BODY, SIGNATURE, NOW.plusSeconds(300)));
        assertTrue(SlackSignature.isOf(SECRET, TIME, BODY, SIGNATURE, NOW.minusSeconds(300)));
    }

    @Test
    @Tag("P62")
    void rejectsExpiredAndAlteredRequests() {
        // Given
        byte[] other = BODY.clone();
        other[3]++;

        // Then
        assertFalse(SlackSignature.isOf(SECRET, TIME, BODY, SIGNATURE, NOW.plusSeconds(301)));
        assertFalse(SlackSignature.isOf(SECRET, TIME, BODY, SIGNATURE, NOW.minusSeconds(301)));
        assertFalse(SlackSignature.isOf(SECRET, TIME, other, SIGNATURE, NOW));
        assertFalse(SlackSignature.isOf(SECRET + "0", TIME, BODY, SIGNATURE, NOW));
        assertFalse(SlackSignature.isOf(SECRET, "1531420619", BODY, SIGNATURE, NOW));
        for (String bad : List.of(
                "", "v0=", SIGNATURE + "0", SIGNATURE.replace("v0", "v1"), SIGNATURE.toUpperCase(Locale.ROOT))) {
            assertFalse(SlackSignature.isOf(SECRET, TIME, BODY, bad, NOW), bad);
        }
        for (String bad : List.of("", "-1", "now", "9".repeat(30))) {
            assertFalse(SlackSignature.isOf(SECRET, bad, BODY, SlackSignature.of(SECRET, bad, BODY), NOW), bad);
        }
    }
}
