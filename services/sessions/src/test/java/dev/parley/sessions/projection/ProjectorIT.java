package dev.parley.sessions.projection;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.turn.FinishReason;
import dev.parley.domain.turn.TurnCommand.Change;
import dev.parley.domain.turn.TurnEvent;
import dev.parley.platform.kafka.Topics;
import dev.parley.sessions.Chat;
import dev.parley.sessions.TestViews;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From the topic to the tables, with a real broker and a real Postgres. */
final class ProjectorIT {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private TestViews views;
    private Projector projector;

    @BeforeEach
    void start() {
        views = new TestViews();
        projector = startProjector();
    }

    @AfterEach
    void stop() {
        projector.close();
        views.close();
    }

    private Projector startProjector() {
        var started = new Projector(views.clients(), views.app(), views.topic(), "projector-" + views.topic(), registry);
        started.start();
        return started;
    }

    private void publish(List<TurnEvent> events) {
        views.publish(events);
        awaitProjected();
    }

    private void awaitProjected() {
        await().atMost(Duration.ofSeconds(20)).until(() -> views.projected() == views.published());
    }

    @Test
    @Tag("P14")
    @Tag("I73")
    @Tag("I50")
    void aTurnWithToolsIsShownWhole() {
        // Given
        var chat = new Chat("telegram:1").say("what is 1+2\nplease").call("{\"a\":1,\"b\":2}", "{\"a\":3}");
        chat.result(0, "3").result(1, "6").answer("It is 3.");

        // When
        publish(chat.events());

        // Then
        var turn = views.query("SELECT * FROM sessions.agent_turn_t").getFirst();
        assertEquals("COMPLETED", turn.get("state"));
        assertEquals("It is 3.", turn.get("reply"));
        assertEquals(List.of("completed", "completed"), column("SELECT tool_status FROM sessions.agent_message_part_t WHERE kind = 'tool'"));
        assertEquals(2L, views.value("SELECT count(*) FROM sessions.tool_call_t WHERE status = 'completed'"));
        assertEquals("what is 1+2", views.value("SELECT title FROM sessions.agent_session_t"));
        assertEquals(
                List.of("text", "step-start", "tool", "tool", "step-finish", "step-start", "text", "step-finish"),
                column("SELECT p.kind FROM sessions.agent_message_part_t p JOIN sessions.agent_message_t m USING (message_id) ORDER BY m.position, p.idx"));
        assertStats();
    }

    private List<Object> column(String sql) {
        return views.query(sql).stream().map(row -> row.values().iterator().next()).toList();
    }

    private void assertStats() {
        assertEquals(
                List.of(),
                views.query(
                        """
                        SELECT s.session_id FROM sessions.agent_session_t s LEFT JOIN LATERAL (
                          SELECT count(*) AS n, coalesce(sum(cost), 0) AS cost, coalesce(sum(tokens_input), 0) AS i,
                                 coalesce(sum(tokens_output), 0) AS o FROM sessions.agent_message_t m
                          WHERE m.session_id = s.session_id) m ON true
                        WHERE (s.message_count, s.total_cost, s.total_tokens_input, s.total_tokens_output) <> (n, cost, i, o)
                        """));
    }

    @Test
    @Tag("O4")
    @Tag("I50")
    void aReplayMakesEqualRowsAlsoAfterDuplicates() throws SQLException {
        // Given
        var events = new ArrayList<TurnEvent>();
        for (int i = 0; i < 20; i++) {
            var chat = new Chat("telegram:" + i).open(i % 2 == 0 ? "Fix bug" : null);
            chat.turn("Hello number " + i, "Hi").say("add").call("{}").result(0, "7").answer("7").say("and this waits");
            events.addAll(chat.events());
        }
        publish(events);
        publish(events.subList(0, events.size() / 2));

        // When
        var report = new Replay(views.owner(), views.clients(), views.topic()).run();

        // Then
        assertEquals(report.before(), report.after());
        assertEquals(events.size(), report.events());
        assertEquals(20L, views.value("SELECT count(DISTINCT slug) FROM sessions.agent_session_t"));
        assertStats();
        var late = new Chat("telegram:late").turn("after the replay", "yes");
        publish(late.events());
        assertEquals(21L, views.value("SELECT count(*) FROM sessions.agent_session_t"));
    }

    @Test
    @Tag("O5")
    void recordsThatCannotBeReadGoToDeadLettersAndTheRestGoesOn() {
        // Given
        var chat = new Chat("telegram:poison").turn("before", "yes");
        byte[] garbage = "no record at all".getBytes(StandardCharsets.UTF_8);
        var orphan = new Chat("telegram:orphan").turn("x", "y").events().subList(1, 2);

        // When
        views.publish(0, "garbage-" + views.topic(), garbage);
        views.publish(1, "tombstone", null);
        views.publish(orphan);
        publish(chat.events());

        // Then
        assertEquals("COMPLETED", views.value("SELECT state FROM sessions.agent_turn_t"));
        assertEquals(garbage.length, deadLetter("garbage-" + views.topic()).value().length);
        assertEquals(1, registry.counter("parley_projection_rejected", "reason", "no_place").count());
        assertTrue(projector.problem().isEmpty());
    }

    private ConsumerRecord<byte[], byte[]> deadLetter(String key) {
        try (var consumer = views.clients().consumer("dead", null, Map.of())) {
            var partitions = consumer.partitionsFor(Topics.DEAD_LETTERS.name()).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            await().atMost(Duration.ofSeconds(10)).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(found::add);
                return found.stream().anyMatch(record -> key.equals(text(record)));
            });
            return found.stream().filter(record -> key.equals(text(record))).findFirst().orElseThrow();
        }
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    }

    @Test
    @Tag("O5")
    void aRecordThatPostgresRefusesIsFoundAndPutAside() {
        // Given
        var events = new ArrayList<TurnEvent>();
        for (int i = 0; i < 200; i++) {
            events.addAll(new Chat("telegram:" + i).turn("hello", "hi").events());
        }
        var bad = (TurnEvent.SessionOpened) new Chat("telegram:bad").open("x").events().getFirst();
        events.add(
                600,
                new TurnEvent.SessionOpened(
                        bad.meta(), bad.channel(), null, bad.agent(), null, null, 99, bad.title(), null));

        publish(new Chat("telegram:first").turn("the views are warm", "yes").events());

        // When
        long begin = System.nanoTime();
        publish(events);

        // Then
        assertTrue(System.nanoTime() - begin < Duration.ofSeconds(10).toNanos());
        assertEquals(201L, views.value("SELECT count(*) FROM sessions.agent_turn_t WHERE state = 'COMPLETED'"));
        assertEquals(1, registry.counter("parley_projection_rejected", "reason", "constraint").count());
        deadLetter("default/telegram:bad#1");
    }

    @Test
    @Tag("P14")
    @Tag("O4")
    void anotherInstanceGoesOnAtTheWatermark() {
        // Given
        var chat = new Chat("telegram:restart").say("first");
        publish(chat.events());
        int before = chat.events().size();
        projector.close();

        // When
        chat.answer("one");
        views.publish(chat.events().subList(before, chat.events().size()));
        projector = startProjector();

        // Then
        awaitProjected();
        assertEquals("COMPLETED", views.value("SELECT state FROM sessions.agent_turn_t"));
        assertEquals(0, registry.counter("parley_projected_duplicates").count());
    }

    @Test
    @Tag("I45")
    @Tag("I46")
    void aNewEpochIsANewRowUnderTheSameKey() {
        var chat = new Chat("telegram:epochs").turn("one", "1").reset(dev.parley.domain.turn.TurnCommand.Reset.NEW, null);
        chat.turn("two", "2").change(Change.ARCHIVE).change(Change.REOPEN).change(Change.DELETE).turn("three", "3");

        publish(chat.events());

        assertEquals(
                List.of("archived", "deleted", "active"), column("SELECT status FROM sessions.agent_session_t ORDER BY epoch"));
        assertEquals(
                List.of("telegram-epochs", "telegram-epochs-2", "telegram-epochs-3"),
                column("SELECT slug FROM sessions.agent_session_t ORDER BY epoch"));
    }

    @Test
    @Tag("P9")
    @Tag("I66")
    void everyResponseIsKeptByteForByte() {
        var chat = new Chat("telegram:raw").say("x").call("{}").result(0, "1").call("{\"b\":1}").result(0, "2");
        chat.answer(List.of(Block.text("nul \u0000 and half \uD800")), FinishReason.STOP);

        publish(chat.events());

        assertEquals(3L, views.value("SELECT count(*) FROM sessions.model_call_t WHERE sha256(convert_to(response_raw, 'UTF8')) = response_sha256"));
        assertEquals(3, views.value("SELECT tokens_input / 10 FROM sessions.agent_turn_t").hashCode());
    }

    @Test
    @Tag("I79")
    @Tag("P60")
    void noRowCanPointElsewhere() {
        publish(new Chat("telegram:fk").turn("x", "y").events());
        String other = "UPDATE sessions.agent_message_part_t SET session_id = '" + UUID.randomUUID() + "'";

        var failure = org.junit.jupiter.api.Assertions.assertThrows(IllegalStateException.class, () -> views.query(other));

        assertTrue(String.valueOf(failure.getMessage()).contains("foreign key"));
        assertFalse(views.query("SELECT 1 FROM sessions.agent_message_part_t p JOIN sessions.agent_message_t m USING (message_id) WHERE p.session_id = m.session_id").isEmpty());
    }
}
