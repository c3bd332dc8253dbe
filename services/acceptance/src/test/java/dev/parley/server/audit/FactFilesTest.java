package dev.parley.server.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.proof.FactKind;
import dev.parley.domain.proof.FindingKind;
import dev.parley.domain.proof.Place;
import dev.parley.domain.proof.ProofScope;
import dev.parley.domain.proof.RecordFact;
import dev.parley.domain.proof.RecordFactBuilder;
import dev.parley.domain.proof.TopicVerifier;
import dev.parley.domain.proof.VerificationReport;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Verification of facts spread over files, and the parsing of time arguments. */
class FactFilesTest {
    private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");
    private static final int SESSIONS = 300;

    @Test
    @Tag("O13")
    void verifiesManySessionsInBatches() throws IOException {
        // Given
        var scope = new ProofScope(
                NOON.minusSeconds(1),
                NOON.plusSeconds(1_000),
                NOON.plusSeconds(10_000),
                Duration.ofMinutes(5),
                Instant.EPOCH,
                Map.of());
        var proved = new VerificationReport(10);

        // When
        int files;
        try (var facts = new FactFiles(SESSIONS * 5L, 50)) {
            files = facts.count();
            for (int i = 0; i < SESSIONS; i++) {
                for (FactKind kind : new FactKind[] {FactKind.OPENED, FactKind.ACCEPTED, FactKind.STARTED}) {
                    facts.add(fact(i, kind));
                }
                facts.add(fact(i, FactKind.COMMAND));
                if (i != 7) {
                    facts.add(fact(i, FactKind.ENDED));
                }
                facts.add(fact(i, FactKind.OUTCOME));
            }
            facts.prove(() -> new TopicVerifier(scope, proved));
        }

        // Then
        assertEquals(31, files);
        assertEquals(Map.of(FindingKind.TURN_WITHOUT_END, 1L), proved.findingCounts());
        assertEquals("default/web:7", proved.newest().getFirst().session());
        assertEquals(SESSIONS - 1L, proved.counts().get("turns of api").get("completed"));
        assertEquals(SESSIONS, proved.counts().get("sessions").get("read"));
    }

    private static RecordFact fact(int session, FactKind kind) {
        boolean turn = kind != FactKind.OPENED;
        return RecordFactBuilder.builder()
                .kind(kind)
                .session("default/web:" + session)
                .place(new Place("topic", 0, session * 10L + kind.ordinal(), NOON.plusSeconds(kind.ordinal())))
                .seq(kind == FactKind.OPENED ? 1 : kind == FactKind.ACCEPTED ? 2 : kind == FactKind.STARTED ? 3 : 4)
                .id(turn ? Ids.of("turn", session) : null)
                .word(
                        switch (kind) {
                            case COMMAND -> "SubmitTurn";
                            case ENDED -> "completed";
                            case OUTCOME -> "accepted:STARTED";
                            default -> "api";
                        })
                .more("api")
                .until(kind == FactKind.STARTED ? NOON.plusSeconds(60) : null)
                .build();
    }

    @Test
    void parsesInstantsAndDurations() {
        assertEquals(NOON.minusSeconds(5400), TimeOptions.instant("90m", NOON));
        assertEquals(NOON, TimeOptions.instant("2026-11-26T13:00:00+01:00", NOON));
        assertEquals(Duration.ofDays(7), TimeOptions.duration("7d"));
        var failure = assertThrows(IllegalArgumentException.class, () -> TimeOptions.instant("yesterday", NOON));
        assertTrue(String.valueOf(failure.getMessage()).contains("such as 24h"));
        assertThrows(IllegalArgumentException.class, () -> TimeOptions.duration("5"));
    }
}
