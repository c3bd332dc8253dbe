package dev.parley.channels.hooks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.ApprovalRequested;
import dev.parley.domain.protocol.TurnEvent.FeedbackGiven;
import dev.parley.domain.protocol.TurnEvent.TodosChanged;
import dev.parley.domain.protocol.TurnEvent.TurnCancelled;
import dev.parley.domain.protocol.TurnEvent.TurnCompleted;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.workflow.Phase;
import dev.parley.domain.workflow.WorkflowEvent.ProcessChanged;
import dev.parley.domain.workflow.WorkflowMeta;
import dev.parley.platform.http.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HookEventTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final UUID HOST = new UUID(0, 1);
    private static final UUID TURN = new UUID(0, 2);
    private static final EventMeta META =
            new EventMeta(HOST, new RecordKey("shop", "web:a"), new UUID(0, 3), 0, 7, TURN, NOON);

    private static HookEvent of(TurnEvent event) {
        return HookEvent.of(event).orElseThrow();
    }

    @Test
    @Tag("B223")
    void anOpinionIsAnEventWithoutItsReason() {
        var meta = new EventMeta(HOST, META.key(), META.sessionId(), 0, 8, null, NOON);
        HookEvent given = of(new FeedbackGiven(meta, TURN, "telegram:7", Opinion.BAD, "👎", "my secret reason"));

        assertTrue(HookEvent.isOfTurns("FeedbackGiven"));
        assertEquals(
                "{\"type\":\"feedback.given\",\"timestamp\":\"2026-01-01T12:00:00.000Z\",\"data\":{\"project\":\"shop\","
                        + "\"session\":\"web:a\",\"turn\":\"" + TURN
                        + "\",\"opinion\":\"bad\",\"by\":\"telegram:7\"}}",
                given.body());
    }

    @Test
    @Tag("I148")
    void eventsContainIdsButNoTexts() {
        HookEvent completed = of(
                new TurnCompleted(META, "my secret reply", FinishReason.STOP, Usage.NONE, "scripted/scripted", null));

        assertEquals(
                "{\"type\":\"turn.completed\",\"timestamp\":\"2026-01-01T12:00:00.000Z\",\"data\":{\"project\":\"shop\","
                        + "\"session\":\"web:a\",\"turn\":\"" + TURN + "\",\"model\":\"scripted/scripted\"}}",
                completed.body());
        assertEquals("shop/web:a#7", completed.source());
        assertEquals(RecordKey.projectId("shop"), completed.project());
        HookEvent cancelled = of(new TurnCancelled(META, "a reason", "partial words", Usage.NONE));
        HookEvent approval = of(new ApprovalRequested(
                META, TURN, TURN, "secret reason", NOON, "send_file", "about", "{\"a\":\"secret\"}", "ann"));
        for (HookEvent event : List.of(completed, cancelled, approval)) {
            assertFalse(event.body().matches("(?s).*(secret|reason|partial|ann).*"), event.body());
            assertTrue(HookEvent.TYPES.contains(event.type()));
        }
        assertEquals(Optional.empty(), HookEvent.of(new TodosChanged(META, List.of())));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-01T12:00:00Z, 2026-01-01T12:00:00.000Z",
        "2026-01-01T12:00:00.5Z, 2026-01-01T12:00:00.500Z",
        "2026-01-01T12:00:00.123456789Z, 2026-01-01T12:00:00.123Z",
        "2026-01-01T00:00:00.999999Z, 2026-01-01T00:00:00.999Z"
    })
    @Tag("B105")
    void allTimesHaveOneForm(String time, String written) {
        var meta = new EventMeta(HOST, META.key(), new UUID(0, 3), 0, 7, TURN, Instant.parse(time));

        HookEvent approval =
                of(new ApprovalRequested(meta, TURN, TURN, "", Instant.parse(time), "send_file", "about", "{}", "ann"));

        assertTrue(approval.body().contains("\"timestamp\":\"" + written + "\""), approval.body());
        assertTrue(approval.body().contains("\"expiresAt\":\"" + written + "\""), approval.body());
    }

    @Test
    void sendsProcessEventsOnlyForEndedProcesses() {
        // Given
        var meta = new WorkflowMeta(new ProcessRef(HOST, "shop", TURN), 3, NOON, null);

        // Then
        assertEquals(
                "process.faulted",
                HookEvent.of(changed(meta, Phase.FAULTED)).orElseThrow().type());
        assertEquals(
                "process.completed",
                HookEvent.of(changed(meta, Phase.COMPLETED)).orElseThrow().type());
        assertEquals(Optional.empty(), HookEvent.of(changed(meta, Phase.WAITING)));
        Arrays.stream(Phase.values())
                .flatMap(phase -> HookEvent.of(changed(meta, phase)).stream())
                .forEach(event -> assertTrue(HookEvent.TYPES.contains(event.type()), event.type()));
    }

    private static ProcessChanged changed(WorkflowMeta meta, Phase phase) {
        return new ProcessChanged(meta, phase, null, null, null, null, "", null);
    }

    @Test
    @Tag("I148")
    void signsAsStandardWebhooks() {
        String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        String body = "{\"test\": 2432232314}";
        String id = "msg_p5jXN8AQM9LWM0D4loKWxJek";

        String signature = HookSignature.of(List.of(secret), id, 1_614_265_330, body);

        assertEquals("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", signature);
        String next = HookSignature.newSecret();
        String signatures = HookSignature.of(List.of(next, secret), id, 1_614_265_330, body);
        assertEquals(2, signatures.split(" ").length);
        assertTrue(signatures.endsWith(" " + signature), "while a secret is changed both sign");
        assertNotEquals(signature, HookSignature.of(List.of(secret), id, 1_614_265_331, body));
        assertNotEquals(next, HookSignature.newSecret());
    }

    @Test
    @Tag("I149")
    void retriesWithIncreasingDelaysAndGivesUp() {
        Duration total = Duration.ZERO;
        Duration before = Duration.ZERO;
        int attempts = 1;
        for (; HookRetries.after(attempts, null, 0).isPresent(); attempts++) {
            Duration wait = HookRetries.after(attempts, null, 0).orElseThrow();
            assertTrue(wait.compareTo(before) > 0);
            assertTrue(HookRetries.after(attempts, null, 1).orElseThrow().compareTo(wait.multipliedBy(2)) < 0);
            before = wait;
            total = total.plus(wait);
        }
        assertEquals(9, attempts, "attempts in all");
        assertTrue(total.toHours() >= 20, total.toString());
        assertEquals(
                Duration.ofMinutes(2),
                HookRetries.after(1, Duration.ofMinutes(2), 0).orElseThrow(),
                "as it was asked for");
        assertEquals(
                Duration.ofHours(12),
                HookRetries.after(1, Duration.ofDays(9), 0).orElseThrow(),
                "but not for ever");
    }

    @Test
    @Tag("I149")
    void disablesAWebhookAfterADayOfFailuresOrAtOnceOn410() {
        Instant yesterday = NOON.minus(Duration.ofHours(25));

        assertTrue(HookRetries.disableReason(500, 20, yesterday, NOON).isPresent());
        assertEquals(Optional.empty(), HookRetries.disableReason(500, 19, yesterday, NOON));
        assertEquals(
                Optional.empty(),
                HookRetries.disableReason(500, 200, NOON.minusSeconds(60), NOON),
                "an hour of trouble is none");
        assertTrue(HookRetries.disableReason(410, 1, NOON, NOON).isPresent());
    }

    @Test
    void rejectsUnknownEventTypesAndLongDescriptions() {
        // Then
        assertEquals("*", new EventWebhookBody("u", null, null, null).checkedEvents());
        assertEquals("*", new EventWebhookBody("u", List.of("*"), null, null).checkedEvents());
        assertEquals(
                "task.asked,turn.failed",
                new EventWebhookBody("u", List.of("turn.failed", "task.asked", "turn.failed"), null, null)
                        .checkedEvents());
        for (List<String> bad : List.of(List.<String>of(), List.of("turn.*"), List.of("turn.failed", ""))) {
            assertThrows(ApiException.class, () -> new EventWebhookBody("u", bad, null, null).checkedEvents());
        }
        assertThrows(
                ApiException.class, () -> new EventWebhookBody("u", null, "x".repeat(257), null).checkedDescription());
    }
}
