package dev.parley.channels.teams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.channels.teams.AnswerStreams.Result;
import dev.parley.platform.testkit.teams.FakeTeams;
import dev.parley.platform.testkit.teams.TeamsChat;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B215")
class AnswerStreamsTest {
    private static final String SECRET = "check-token_0123456789";

    private FakeTeams teams;
    private TeamsApi api;
    private AnswerStreams streams;
    private TeamsChat chat;
    private Conversation in;
    private Instant now = Instant.EPOCH;

    @BeforeEach
    void start() throws IOException {
        teams = new FakeTeams(SECRET);
        teams.isPatient();
        api = new TeamsApi(TeamsCloud.of(teams.api()), FakeTeams.APP, FakeTeams.TENANT, () -> SECRET);
        streams = new AnswerStreams(api, () -> now);
        chat = teams.direct("Ann");
        chat.says("hello");
        in = new Conversation(teams.serviceUrl(), chat.id());
    }

    @AfterEach
    void stop() {
        api.close();
        teams.close();
    }

    private String begin() throws Exception {
        String id = streams.begin(in, Piece.Words.plain("🔧 weather …"));
        assertNotNull(id);
        return id;
    }

    private Result grow(String id, String text, String progress) throws Exception {
        var answer = new GrowingAnswer(new UUID(0, 1), text, progress, List.of());
        return streams.grow(in, id, answer, Piece.Words.plain(text));
    }

    private Result end(String id, String text, boolean isLost) throws Exception {
        return streams.end(in, id, Cards.message(Piece.Words.plain(text), "", null, ""), isLost);
    }

    private String shown() {
        return chat.answers().getLast().text();
    }

    @Test
    void growsFromALineAboutItIntoTheAnswer() throws Exception {
        String id = begin();
        assertTrue(streams.isStreaming(in));
        assertEquals(Result.SHOWN, grow(id, "", "Comparing forecasts"));
        assertEquals("Comparing forecasts", shown());
        assertEquals(Result.SHOWN, grow(id, "Rain", ""));
        assertEquals(Result.SHOWN, grow(id, "Rain in Oslo", "Reading"));
        assertEquals("Rain in Oslo", shown(), "the status is not part of the text, which only grows");

        assertEquals(Result.SHOWN, end(id, "Rain in Oslo.", false));

        assertEquals("Rain in Oslo.", shown());
        assertEquals(1, chat.answers().size());
        assertTrue(chat.answers().getFirst().isLabelled());
        assertFalse(streams.isStreaming(in));
    }

    @Test
    void theStopButtonIsToldOnceAndTheRestIsEdited() throws Exception {
        String id = begin();
        grow(id, "Rain", "");
        teams.stops(chat);

        assertEquals(Result.STOPPED, grow(id, "Rain in", ""));
        assertEquals(Result.SHOWN, grow(id, "Rain in Oslo", ""), "nothing is sent");
        assertEquals("Rain", shown());
        assertEquals(Result.NOT_STREAMING, end(id, "Stopped.", false));
        api.put(in, id, Cards.message(Piece.Words.plain("Stopped."), "", null, ""));
        assertEquals("Stopped.", shown());
    }

    @Test
    void aStreamThatWasOpenForTooLongIsEdited() throws Exception {
        String id = begin();
        teams.streamsExpire();

        assertEquals(Result.NOT_STREAMING, grow(id, "Rain", ""));
        assertEquals(Result.NOT_STREAMING, grow(id, "Rain in", ""));
        assertEquals(Result.NOT_STREAMING, end(id, "Rain.", false));
    }

    @Test
    void anEndWhoseAnswerWasLostIsNotRepeated() throws Exception {
        String id = begin();
        teams.cutAfter("POST");
        TeamsApiException lost = assertThrows(TeamsApiException.class, () -> end(id, "Rain.", false));

        assertEquals(Kind.IN_DOUBT, lost.kind());
        assertEquals(Result.NOT_STREAMING, end(id, "Rain.", false), "Teams says that it has ended");
        assertEquals(1, chat.answers().size());
    }

    @Test
    void anotherProcessEndsAStreamThatItDoesNotKnow() throws Exception {
        String id = begin();
        var other = new AnswerStreams(api, () -> now);
        var activity = Cards.message(Piece.Words.plain("Rain."), "", null, "");

        assertEquals(Result.NOT_STREAMING, other.end(in, id, activity.deepCopy(), false));
        TeamsApiException live = assertThrows(TeamsApiException.class, () -> api.put(in, id, activity));
        assertTrue(live.isOfStream());
        assertEquals(Result.SHOWN, other.end(in, id, activity.deepCopy(), true));

        assertEquals("Rain.", shown());
        assertEquals(1, chat.answers().size());
    }

    @Test
    void whereTeamsDoesNotStreamTheAnswerIsAMessage() throws Exception {
        TeamsChat group = teams.group("team", chat);
        group.says("hello");

        assertNull(streams.begin(new Conversation(teams.serviceUrl(), group.id()), Piece.Words.plain("…")));
        assertEquals(Result.NOT_STREAMING, grow("17", "Rain", ""));
    }

    @Test
    void aRateLimitIsPassedOn() throws Exception {
        String id = begin();
        teams.failNext("POST", 1, 429, "TooManyRequests", "slow down", "3");

        TeamsApiException fast = assertThrows(TeamsApiException.class, () -> grow(id, "Rain", ""));

        assertEquals(Kind.LATER, fast.kind());
        assertEquals(Result.SHOWN, grow(id, "Rain in Oslo", ""));
    }

    @Test
    @Tag("B258")
    void aChunkThatWasNotTakenLeavesNoGapInTheSequence() throws Exception {
        String id = begin();
        teams.failNext("POST", 1, 429, "TooManyRequests", "slow down", "3");
        assertThrows(TeamsApiException.class, () -> grow(id, "Rain", ""));

        grow(id, "Rain in Oslo", "");

        assertEquals("Rain in Oslo", shown());
        teams.cutAfter("POST");
        assertThrows(TeamsApiException.class, () -> grow(id, "Rain in Oslo to", ""));
        grow(id, "Rain in Oslo today", "");
        assertEquals("Rain in Oslo today", shown());
    }

    @Test
    @Tag("B258")
    void aStreamWithNothingNewIsRefreshedSoThatAStopIsTold() throws Exception {
        String id = begin();
        assertNull(streams.refresh(in));
        assertEquals(0, chat.answers().getFirst().changes(), "too soon");

        now = now.plusSeconds(4);
        assertNull(streams.refresh(in));
        assertEquals(1, chat.answers().getFirst().changes());
        assertEquals("🔧 weather …", shown());

        assertEquals(Result.SHOWN, grow(id, "Rain", ""));
        assertEquals("🔧 weather …", shown(), "less than a second after the chunk before");
        now = now.plusSeconds(4);
        streams.refresh(in);
        assertEquals("Rain", shown());

        teams.stops(chat);
        now = now.plusSeconds(4);
        assertEquals(id, streams.refresh(in));
        assertNull(streams.refresh(in), "it is told once");
        assertFalse(streams.isStreaming(in));
    }
}
