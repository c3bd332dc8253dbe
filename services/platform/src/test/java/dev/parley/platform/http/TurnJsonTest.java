package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import io.micronaut.context.ApplicationContext;
import io.micronaut.serde.ObjectMapper;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TurnJsonTest {
    private static final UUID ID = UUID.fromString("00000000-0000-0000-0000-000000000001");
    private static final Instant THEN = Instant.parse("2026-01-01T12:00:00.5Z");

    private static String json(TurnState state, ErrorCategory error, Usage usage) throws Exception {
        var turn = new Outcome.Finished(
                RecordKey.of("api:1"),
                ID,
                ID,
                7,
                state,
                "hi",
                "hello",
                "scripted/model",
                error,
                error == null ? null : "no",
                usage,
                THEN,
                THEN.plusSeconds(1));
        try (var context = ApplicationContext.run()) {
            return context.getBean(ObjectMapper.class).writeValueAsString(TurnJson.of(turn));
        }
    }

    @Test
    void writesEveryField() throws Exception {
        assertEquals("""
                {"id":"00000000-0000-0000-0000-000000000001","session":"api:1","seq":7,"state":"COMPLETED","text":"hi",\
                "reply":"hello","error":null,"model":"scripted/model","usage":{"input":3,"output":2,"reasoning":1,"cacheRead":0,"cacheWrite":0,\
                "cost":0.0015},"createdAt":"2026-01-01T12:00:00.500Z","completedAt":"2026-01-01T12:00:01.500Z"}""", json(TurnState.COMPLETED, null, new Usage(3, 2, 1, 0, 0, 1_500_000L)));
    }

    @Test
    void writesAnUnknownPriceAsNullAndTheTypeOfAnError() throws Exception {
        String json = json(TurnState.FAILED, ErrorCategory.RATE_LIMIT, new Usage(0, 0, 0, 0, 0, null));
        assertEquals(true, json.contains("\"error\":{\"type\":\"rate_limit\",\"message\":\"no\"}"), json);
        assertEquals(true, json.contains("\"cost\":null"), json);
    }
}
