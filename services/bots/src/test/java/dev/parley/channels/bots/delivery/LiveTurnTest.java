package dev.parley.channels.bots.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.GrowingAnswer.Activity;
import dev.parley.channels.contract.GrowingAnswer.State;
import dev.parley.channels.contract.Growth;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LiveTurnTest {
    private static final UUID TURN = new UUID(0, 1);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final String WORDS = "The lock gates close when the tide is at its lowest.";

    private final LiveTurn turn = new LiveTurn(TURN, new ConversationAddress("tess", "7", null), 0);

    private void delta(Kind kind, int step, String text) {
        turn.onDelta(TurnDelta.of(TURN, kind, step, 1, text), 0);
    }

    private void tool(Kind kind, int step, String id, String name, String text) {
        turn.onDelta(new TurnDelta(TURN, kind, step, 1, text, name, id, null), 0);
    }

    private static long ms(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    private boolean frame(Growth growth, long millis) {
        boolean due = turn.takeFrame(growth, INTERVAL, ms(millis));
        if (due) {
            turn.onShown(turn.answer(), ms(millis));
        }
        return due;
    }

    @Test
    void aPreviewBeginsWithoutWordsAfterAMoment() {
        delta(Kind.STARTED, 0, "");
        assertFalse(frame(Growth.PREVIEW, 249));
        assertTrue(frame(Growth.PREVIEW, 250));
        assertFalse(frame(Growth.PREVIEW, 1_000), "nothing has changed");
    }

    @Test
    @Tag("B180")
    void theFirstWordsDoNotWaitForTheIntervalAfterAPreviewWithoutWords() {
        delta(Kind.STARTED, 0, "");
        assertTrue(frame(Growth.PREVIEW, 250));
        delta(Kind.TOKEN, 0, "The");
        assertFalse(frame(Growth.PREVIEW, 549));
        assertTrue(frame(Growth.PREVIEW, 550));
    }

    @Test
    @Tag("B180")
    void theFirstWordsOfAPreviewAreShownAtOnceAndLaterOnesEverSlowerUpToTheInterval() {
        delta(Kind.TOKEN, 0, "The");
        assertTrue(frame(Growth.PREVIEW, 10));
        long shown = 10;
        for (long gap : new long[] {300, 600, 1_000, 1_000}) {
            delta(Kind.TOKEN, 0, " lock");
            assertFalse(frame(Growth.PREVIEW, shown + gap - 1));
            shown += gap;
            assertTrue(frame(Growth.PREVIEW, shown));
        }
    }

    @Test
    void aPreviewThatDoesNotChangeIsShownAgainInTime() {
        tool(Kind.TOOL_CALL, 0, "c1", "read_page", "{}");
        assertTrue(frame(Growth.PREVIEW, 0));
        assertFalse(frame(Growth.PREVIEW, 14_999));
        assertTrue(frame(Growth.PREVIEW, 15_000));
        assertEquals(ms(30_000), turn.next(Growth.PREVIEW));
        assertFalse(turn.takeTyping(Growth.PREVIEW, ms(15_000)), "the preview is the typing indicator");
    }

    @Test
    void aMessageOpensWithEnoughWordsOrAnActivity() {
        delta(Kind.TOKEN, 0, "The");
        assertFalse(frame(Growth.MESSAGE, 1));
        assertTrue(turn.takeTyping(Growth.MESSAGE, 1));
        assertFalse(turn.takeTyping(Growth.MESSAGE, ms(3_999)));
        delta(Kind.TOKEN, 0, WORDS);
        assertTrue(frame(Growth.MESSAGE, 2));
        assertFalse(frame(Growth.NONE, 5_000));
    }

    @Test
    void activitiesSayWhatBecameOfThem() {
        tool(Kind.TOOL_CALL, 0, "c1", "read_page", "{}");
        tool(Kind.TOOL_CALL, 0, "c2", "weather", "{}");
        assertEquals("🔧 weather …", turn.answer().words());
        tool(Kind.TOOL_RESULT, 0, "c2", "weather", "error: no such place");
        assertEquals("🔧 read page …", turn.answer().words());
        tool(Kind.TOOL_RESULT, 0, "c1", "read_page", "…");
        delta(Kind.TOKEN, 1, WORDS);
        tool(Kind.TOOL_CALL, 1, "c1", "weather", "{}");

        assertEquals(
                new GrowingAnswer(
                        TURN,
                        WORDS,
                        "",
                        List.of(
                                new Activity("0-c1", "read page", State.DONE),
                                new Activity("0-c2", "weather", State.FAILED),
                                new Activity("1-c1", "weather", State.RUNNING))),
                turn.answer());
        assertEquals(WORDS + "\n\n🔧 weather …", turn.answer().words());
    }

    @Test
    @Tag("B196")
    void pagesThatAResultNamesAreItsSources() {
        tool(Kind.TOOL_CALL, 0, "c1", "search", "{}");
        tool(Kind.TOOL_RESULT, 0, "c1", "search", """
                [{"url":"https://tides.example/tables?id=7"}, see https://tides.example/locks, twice
                https://tides.example/locks. Not http://10.0.0.5/admin, http://host/x, https://ann@tides.example/
                and https://files.example/a?signature=%s""".formatted("0".repeat(81)));

        assertEquals(
                List.of(URI.create("https://tides.example/tables?id=7"), URI.create("https://tides.example/locks")),
                turn.answer().activities().getFirst().sources());
    }

    @Test
    void progressTakesPrecedenceAndLostResultsEndWithTheNextStep() {
        tool(Kind.TOOL_CALL, 0, "c1", "weather", "{}");
        delta(Kind.PROGRESS, 0, "Comparing forecasts");
        assertEquals("Comparing forecasts", turn.answer().words());
        delta(Kind.PROGRESS, 0, "");
        delta(Kind.TOKEN, 1, "Rain.");
        assertEquals("Rain.", turn.answer().words());
    }

    @Test
    void activitiesAreBounded() {
        for (int i = 0; i < 60; i++) {
            tool(Kind.TOOL_CALL, 0, "c" + i, "weather", "{}");
        }
        List<Activity> activities = turn.answer().activities();
        assertEquals(GrowingAnswer.MAX_ACTIVITIES, activities.size());
        assertEquals("0-c59", activities.getLast().id());
    }

    @Test
    void aMessageThatBecameAnEarlierReplyIsFollowedByAnother() {
        delta(Kind.TOKEN, 0, WORDS);
        turn.message = "12";
        turn.onShown(turn.answer(), 0);
        turn.forget();
        assertFalse(frame(Growth.MESSAGE, 5_000), "nothing to show yet");
        assertTrue(frame(Growth.PREVIEW, 5_000), "the earlier reply has removed the preview");
    }
}
