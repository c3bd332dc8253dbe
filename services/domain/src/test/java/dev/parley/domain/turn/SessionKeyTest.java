package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.*;
import dev.parley.domain.protocol.TurnEvent.SessionChanged;
import dev.parley.domain.protocol.origin.Origin;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No command opens a session whose key reads as another one. */
class SessionKeyTest {
    private final SessionFixture elsewhere = new SessionFixture();

    private Outcome.Refused refusal(SessionFixture session, TurnCommand command) {
        session.takes(command);
        return assertInstanceOf(
                Outcome.Refused.class, session.told(command.meta().commandId()).getLast());
    }

    private static List<TurnCommand> opening(SessionFixture session, RecordKey key) {
        return List.of(
                submit(session.newMeta()),
                new ChangeSession(session.newMeta(), Change.OPEN, null, null, null, "api", null),
                new SeedContext(
                        session.newMeta(), Ids.of("f"), key, key.sessionId(0), null, 0, 1, null, null, null, List.of()),
                new ImportSession(session.newMeta(), Ids.of("i"), 0, 1, List.of()));
    }

    private static SubmitTurn submit(CommandMeta meta) {
        return new SubmitTurn(
                meta,
                Origin.API,
                "1",
                MailboxMode.FOLLOWUP,
                null,
                null,
                List.of(Block.text("hi")),
                "api",
                null,
                null,
                null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"web\u202E:1", "web:\u200B1", "wеb:1", "cafe\u0301", "web：1", "\u00A0web"})
    @Tag("B76")
    void noCommandOpensAKeyThatReadsAsAnother(String session) {
        RecordKey key = RecordKey.of(session);
        SessionFixture fixture = elsewhere.other(session);
        for (TurnCommand command : opening(fixture, key)) {
            Outcome.Refused refused = refusal(fixture, command);
            assertEquals("invalid_key", refused.code(), command.toString());
            assertTrue(refused.message().startsWith("the session key "), refused.message());
        }
    }

    @Test
    @Tag("B76")
    void titlesHaveNoHiddenCharacters() {
        var meta = new EventMeta(
                SessionFixture.HOST,
                RecordKey.of("a"),
                Ids.of("s"),
                0,
                1,
                null,
                elsewhere.newMeta().at());
        assertEquals("evilfdp.exe", new SessionChanged(meta, SessionStatus.ACTIVE, "evil\u202Efdp.exe", null).title());
    }
}
