package dev.parley.agents.model.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RawLogTest {
    private final RawLog log = new RawLog();

    @Test
    @Tag("P9")
    void keepsEventsLineByLine() {
        assertEquals("{\"a\":1}\n[DONE]", log.add("{\"a\":1}").add("[DONE]").text());
    }

    @Test
    void keepsAResponseOfTheMaximumSize() {
        String half = "é".repeat(RawLog.MAX_BYTES / 4);

        assertEquals(
                2 * half.length() + 1,
                log.add(half).add(half.substring(1) + "x").text().length());
    }

    @Test
    void discardsALongerResponseForGood() {
        String half = "é".repeat(RawLog.MAX_BYTES / 4);

        assertNull(log.add(half).add(half).text());
        assertNull(log.add("x").text());
    }
}
