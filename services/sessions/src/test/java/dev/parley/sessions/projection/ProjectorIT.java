package dev.parley.sessions.projection;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.sessions.Chat;
import dev.parley.sessions.TestViews;
import dev.parley.sessions.history.StoredMessages;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
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
        var started =
                new Projector(views.clients(), views.app(), views.topic(), "projector-" + views.topic(), registry);
        started.start();
        return started;
    }

    private void publish(List<TurnEvent> events) {
        views.publish(events);
        awaitProjected();
    }

    private void awaitProjected() {
        await().atMost(Duration.ofSeconds(60)).until(() -> views.projected() == views.published());
    }

    @Test
    @Tag("P14")
    @Tag("I73")
    @Tag("I50")
    void projectsATurnWithTools() {
        // Given
        var chat = new Chat("telegram:1").say("what is 1+2\nplease").call("{\"a\":1,\"b\":2}", "{\"a\":3}");
        chat.result(0, "3").result(1, "6").answer("It is 3.");

        // When
        publish(chat.events());

        // Then
        var turn = views.query("SELECT * FROM sessions.agent_turn_t").getFirst();
        assertEquals("COMPLETED", turn.get("state"));
        assertEquals("It is 3.", turn.get("reply"));
        assertEquals(
                List.of("completed", "completed"),
                column("SELECT tool_status FROM sessions.agent_message_part_t WHERE kind = 'tool'"));
        assertEquals(2L, views.value("SELECT count(*) FROM sessions.tool_call_t WHERE status = 'completed'"));
        assertEquals("what is 1+2", views.value("SELECT title FROM sessions.agent_session_t"));
        assertEquals(
                List.of("text", "step-start", "tool", "tool", "step-finish", "step-start", "text", "step-finish"),
                column(
                        "SELECT p.kind FROM sessions.agent_message_part_t p JOIN sessions.agent_message_t m USING (message_id) WHERE m.role <> 'system' ORDER BY m.position, p.idx"));
        assertStats();
    }

    @Test
    void watermarkPassesTransactionMarkersAndAbortedRecords() {
        // Given
        var event = new Chat("telegram:1").turn("one", "1").events().getFirst();
        var transactional = Map.<String, Object>of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, views.topic() + "-turns");

        // When
        try (var producer = views.clients().producer("transactions", transactional)) {
            producer.initTransactions();
            for (boolean commits : List.of(true, false)) {
                producer.beginTransaction();
                var _ = producer.send(RecordCodec.record(views.topic(), 0, "key", event, UUID.randomUUID(), null));
                producer.flush();
                if (commits) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }

        // Then
        awaitProjected();
        assertEquals(4, views.projected(), "two records and two marks");
        assertEquals(1L, views.value("SELECT count(*) FROM sessions.agent_session_t"));
    }

    private List<Object> column(String sql) {
        return views.query(sql).stream()
                .map(row -> row.values().iterator().next())
                .toList();
    }

    private void assertStats() {
        assertEquals(List.of(), views.query("""
                        SELECT s.session_id FROM sessions.agent_session_t s LEFT JOIN LATERAL (
                          SELECT count(*) AS n, coalesce(sum(cost), 0) AS cost, coalesce(sum(tokens_input), 0) AS i,
                                 coalesce(sum(tokens_output), 0) AS o FROM sessions.agent_message_t m
                          WHERE m.session_id = s.session_id AND m.role <> 'system') m ON true
                        WHERE (s.message_count, s.total_cost, s.total_tokens_input, s.total_tokens_output) <> (n, cost, i, o)
                        """));
    }

    @Test
    @Tag("I110")
    void newTodoListReplacesTheEarlierOne() {
        // Given
        var chat = new Chat("telegram:todos").say("work").todos("read", "write", "send");
        publish(chat.events());
        assertEquals(List.of("read", "write", "send"), todos());

        // When
        publish(chat.todos("write", "read").events());

        // Then
        assertEquals(List.of("write", "read"), todos());
        assertEquals("write now", views.value("SELECT active_form FROM sessions.todo_t WHERE status = 'in_progress'"));
        assertRefused("SELECT host_id, project_id, session_id, 1, 'x', 'x', 'pending'");
        assertRefused("SELECT host_id, project_id, session_id, 2, 'x', 'x', 'in_progress'");
        publish(chat.todos().events());
        assertEquals(List.of(), todos());
    }

    @Test
    void resetRemovesTodos() {
        // Given
        var cleared = new Chat("telegram:cleared").say("work").todos("read").answer("soon");
        var restarted = new Chat("telegram:begun").say("work").todos("read").answer("soon");
        var other = new Chat("telegram:other").say("work").todos("other").answer("soon");

        // When
        publish(cleared.reset(Reset.CLEAR, null).events());
        publish(restarted.reset(Reset.NEW, null).events());
        publish(other.events());

        // Then
        assertEquals(List.of("begun 0 read", "other 0 other"), column("""
                        SELECT split_part(s.session_key, ':', 2) || ' ' || s.epoch || ' ' || t.content FROM sessions.todo_t t
                        JOIN sessions.agent_session_t s USING (host_id, session_id) ORDER BY 1"""));
    }

    private List<Object> todos() {
        return column("SELECT content FROM sessions.todo_t ORDER BY position");
    }

    /** Constraints reject two todos at one position and two active ones. */
    private void assertRefused(String todo) {
        var refused = assertThrows(IllegalStateException.class, () -> views.query("""
                        INSERT INTO sessions.todo_t (host_id, project_id, session_id, position, content, active_form, status,
                          aggregate_version, update_ts, update_user)
                        %s, 1, now(), 'x' FROM sessions.agent_session_t""".formatted(todo)));
        assertEquals("23505", ((SQLException) refused.getCause()).getSQLState());
    }

    @Test
    @Tag("B222")
    void theNewestOpinionOfAPersonAndReactionIsARow() throws SQLException {
        // Given a turn of a session that another one followed
        var chat = new Chat("telegram:rated").say("what is the capital of Norway?");
        UUID turn = chat.turn();
        chat.answer("Bergen").reset(Reset.NEW, null);
        chat.rate(turn, "ada", Opinion.GOOD, null, "fast").rate(turn, "ada", Opinion.BAD, null, "it is Oslo");
        chat.rate(turn, "telegram:7", Opinion.BAD, "👎", null).rate(turn, "telegram:7", Opinion.OTHER, "👀", null);

        // When one batch has them, and a later one takes one back
        publish(chat.events());
        publish(chat.rate(turn, "telegram:7", Opinion.WITHDRAWN, "👎", null).events());

        // Then
        String rows = """
                SELECT f.user_id || ' ' || f.emoji || ' ' || f.opinion || ' ' || coalesce(f.reason, '-') || ' ' || f.active
                  || ' ' || s.epoch
                FROM sessions.turn_feedback_t f JOIN sessions.agent_session_t s USING (host_id, session_id) ORDER BY 1""";
        var expected = List.<Object>of(
                "ada  bad it is Oslo true 0", "telegram:7 👀 other - true 0", "telegram:7 👎 withdrawn - false 0");
        assertEquals(Set.copyOf(expected), Set.copyOf(column(rows)));

        // When they are made again, and the session is erased
        var report = new SessionViewsReplay(views.owner(), views.clients(), views.topic()).run();
        assertEquals(report.before(), report.after());
        assertEquals(Set.copyOf(expected), Set.copyOf(column(rows)));
        publish(chat.change(Change.ERASE).events());

        // Then
        assertEquals(List.of(), column(rows));
    }

    @Test
    @Tag("O4")
    @Tag("I50")
    void replayYieldsEqualRowsDespiteDuplicates() throws SQLException {
        // Given
        var events = new ArrayList<TurnEvent>();
        for (int i = 0; i < 20; i++) {
            var chat = new Chat("telegram:" + i).open(i % 2 == 0 ? "Fix bug" : null);
            chat.turn("Hello number " + i, "Hi")
                    .say("add")
                    .call("{}")
                    .result(0, "7")
                    .answer("7")
                    .say("go on")
                    .todos("read", "write", "send")
                    .todos("send", "write")
                    .answer("sent")
                    .say("and this waits");
            events.addAll(chat.events());
        }
        publish(events);
        publish(events.subList(0, events.size() / 2));

        // When
        var report = new SessionViewsReplay(views.owner(), views.clients(), views.topic()).run();

        // Then
        assertEquals(report.before(), report.after());
        assertEquals(events.size(), report.events());
        assertEquals(20L, views.value("SELECT count(DISTINCT slug) FROM sessions.agent_session_t"));
        assertStats();
        var later = new Chat("telegram:late").turn("after the replay", "yes");
        publish(later.events());
        assertEquals(21L, views.value("SELECT count(*) FROM sessions.agent_session_t"));
    }

    @Test
    @Tag("O4")
    void replayOfLaggingViewsComparesWithAllEvents() throws SQLException {
        // Given
        var chat = new Chat("telegram:behind").turn("before", "yes");
        publish(chat.events());
        projector.close();
        views.publish(new Chat("telegram:unseen").turn("after", "yes").events());

        // When
        var report = new SessionViewsReplay(views.owner(), views.clients(), views.topic()).run();

        // Then
        assertEquals(report.before(), report.after());
        assertEquals(2L, views.value("SELECT count(*) FROM sessions.agent_session_t"));
        assertEquals(views.published(), views.projected());
    }

    @Test
    @Tag("O5")
    void sendsUnreadableRecordsToDeadLettersAndContinues() {
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
        assertEquals(
                1,
                registry.counter("parley_projection_rejected", "reason", "no_place")
                        .count());
        assertTrue(projector.problem().isEmpty());
    }

    private ConsumerRecord<byte[], byte[]> deadLetter(String key) {
        try (var consumer = views.clients().consumer("dead", null, Map.of())) {
            var partitions = KafkaClients.partitions(consumer, Topics.DEAD_LETTERS);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(found::add);
                return found.stream().anyMatch(record -> key.equals(text(record)));
            });
            return found.stream()
                    .filter(record -> key.equals(text(record)))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    }

    @Test
    @Tag("O5")
    void isolatesARecordThatPostgresRejects() {
        // Given
        var events = new ArrayList<TurnEvent>();
        for (int i = 0; i < 200; i++) {
            events.addAll(new Chat("telegram:" + i).turn("hello", "hi").events());
        }
        var bad = (TurnEvent.SessionOpened)
                new Chat("telegram:bad").open("x").events().getFirst();
        events.add(
                600,
                new TurnEvent.SessionOpened(
                        bad.meta(), bad.channel(), null, bad.agent(), null, null, 99, bad.title(), null, bad.owner()));

        publish(new Chat("telegram:first").turn("the views are warm", "yes").events());

        // When
        long start = System.nanoTime();
        publish(events);

        // Then
        assertTrue(System.nanoTime() - start < Duration.ofSeconds(10).toNanos());
        assertEquals(201L, views.value("SELECT count(*) FROM sessions.agent_turn_t WHERE state = 'COMPLETED'"));
        assertEquals(
                1,
                registry.counter("parley_projection_rejected", "reason", "constraint")
                        .count());
        String cause = new String(
                deadLetter("default/telegram:bad#1")
                        .headers()
                        .lastHeader(DeadLetters.CAUSE)
                        .value(),
                StandardCharsets.UTF_8);
        assertTrue(cause.contains("Postgres rejected the row ("), cause);
        assertFalse(cause.contains("Failing row"), cause);
    }

    @Test
    @Tag("P14")
    @Tag("O4")
    void newInstanceContinuesAtTheWatermark() {
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
    void newEpochIsANewRowOfTheSameKey() {
        // Given
        var chat = new Chat("telegram:epochs").turn("one", "1").reset(Reset.NEW, null);
        chat.turn("two", "2")
                .change(Change.ARCHIVE)
                .change(Change.REOPEN)
                .change(Change.DELETE)
                .turn("three", "3");

        // When
        publish(chat.events());

        // Then
        assertEquals(
                List.of("archived", "deleted", "active"),
                column("SELECT status FROM sessions.agent_session_t ORDER BY epoch"));
        assertEquals(
                List.of("telegram-epochs", "telegram-epochs-2", "telegram-epochs-3"),
                column("SELECT slug FROM sessions.agent_session_t ORDER BY epoch"));
    }

    @Test
    @Tag("P9")
    @Tag("I66")
    void storesEveryResponseUnchanged() {
        // Given
        var chat = new Chat("telegram:raw")
                .say("x")
                .call("{}")
                .result(0, "1")
                .call("{\"b\":1}")
                .result(0, "2");
        chat.answer(List.of(Block.text("nul \u0000 and half \uD800")), FinishReason.STOP);

        // When
        publish(chat.events());

        // Then
        assertEquals(
                3L,
                views.value(
                        "SELECT count(*) FROM sessions.model_call_t WHERE sha256(convert_to(response_raw, 'UTF8')) = response_sha256"));
        assertEquals(30L, views.value("SELECT tokens_input FROM sessions.agent_turn_t"));
    }

    @Test
    @Tag("I79")
    @Tag("P60")
    void foreignKeysRejectRowsOfAnotherSession() {
        publish(new Chat("telegram:fk").turn("x", "y").events());
        String other = "UPDATE sessions.agent_message_part_t SET session_id = '" + UUID.randomUUID() + "'";

        var failure =
                org.junit.jupiter.api.Assertions.assertThrows(IllegalStateException.class, () -> views.query(other));

        assertTrue(String.valueOf(failure.getMessage()).contains("foreign key"));
        assertFalse(views.query(
                        "SELECT 1 FROM sessions.agent_message_part_t p JOIN sessions.agent_message_t m USING (message_id) WHERE p.session_id = m.session_id")
                .isEmpty());
    }

    @Test
    @Tag("P26")
    void storesUnusualJsonUnchanged() throws SQLException {
        // Given
        String json = """
                { "big":9007199254740993, "min":-9223372036854775808, "float":1.0,\t"exp":1E+2, "zero":-0.0,
                  "twice":1, "twice":2, "nul":"\\u0000", "half":"\\ud800", "pair":"\\ud83d\\ude00", "slash":"\\/",
                  "emoji":"👩‍👩‍👧‍👦 𝄞", "words":"%s" }
                """.formatted(megabyte());
        var item = new ProviderItem("scripted", "thing", json);
        var chat = new Chat("telegram:traps").say(json);
        chat.answer(
                List.of(new Block.Raw(item), Block.text(json), new Block.ToolCall("c1", "add", json, null)),
                FinishReason.TOOL_CALLS,
                Usage.NONE,
                json);
        chat.result(0, json).answer(List.of(new Block.Text("ok", item)), FinishReason.STOP, Usage.NONE, json);

        // When
        publish(chat.events());

        // Then
        assertEquals(List.of(json, json), column("SELECT response_raw FROM sessions.model_call_t"));
        assertEquals(
                List.of(json, json), column("SELECT raw FROM sessions.agent_message_part_t WHERE raw IS NOT NULL"));
        assertEquals(
                List.of(json, json),
                column(
                        "SELECT content->>'text' FROM sessions.agent_message_part_t JOIN sessions.agent_message_t m USING (host_id, message_id) WHERE kind = 'text' AND raw IS NULL AND m.role <> 'system'"));
        assertEquals(Map.of("arguments", json, "result", json), views.query("""
                                SELECT content->>'arguments' AS arguments, content->>'result' AS result
                                FROM sessions.agent_message_part_t WHERE kind = 'tool'""").getFirst());
        assertEquals(
                chat.context(),
                new StoredMessages(views.app(), registry)
                        .read(Chat.HOST, chat.sessionId())
                        .messages());
    }

    /** Distinct words, more than an index takes. */
    private static String megabyte() {
        var words = new StringBuilder();
        for (int i = 0; words.length() < 1 << 20; i++) {
            words.append(Integer.toString(i, 36)).append("-é ");
        }
        return words.toString();
    }

    @Test
    @Tag("P12")
    void purgedSessionLeavesNoRows() {
        // Given
        var chat = new Chat("telegram:zanzibar")
                .open("Zanzibar")
                .say("zanzibar?")
                .call("{\"to\":\"zanzibar\"}")
                .result(0, "zanzibar", List.of(new Block.File("zanzibar.csv", "text/csv", 3, "zanzibar", null, null)))
                .todos("zanzibar");
        UUID turn = chat.turn();
        chat.answer("zanzibar!")
                .rate(turn, "ada", Opinion.GOOD, null, "zanzibar")
                .reset(Reset.MARK, "zanzibar")
                .say("zanzibar again")
                .fail(ErrorCategory.SERVER, List.of())
                .askForOperator("zanzibar");
        var other = new Chat("telegram:other").turn("x", "y");
        publish(chat.events());
        publish(other.events());
        views.query("""
                INSERT INTO sessions.session_share_t (host_id, project_id, project_key, share_id, session_id, user_id, token_prefix,
                  token_hash, show_reasoning, show_tool_outputs, expires_ts, update_user)
                SELECT host_id, project_id, 'default', session_id, session_id, session_id, 'x', sha256('x'), false, false, now(), 'x'
                FROM sessions.agent_session_t WHERE session_id = ?
                RETURNING share_id
                """, chat.sessionId());
        var tables = column("""
                SELECT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
                WHERE table_schema = 'sessions' AND table_type = 'BASE TABLE' AND column_name = 'session_id' ORDER BY 1
                """);
        assertTrue(tables.size() >= 9, tables.toString());
        assertEquals(tables, holding(tables, chat), "every table has something of it");

        // When
        views.query("DELETE FROM sessions.agent_session_t WHERE session_id = ?", chat.sessionId());

        // Then
        assertEquals(
                List.of("session_share_t", "session_slug_t"),
                holding(tables, chat),
                "what refers to no view goes by itself");
        views.query("DELETE FROM sessions.session_share_t WHERE session_id = ?", chat.sessionId());
        views.query("DELETE FROM sessions.session_slug_t WHERE session_id = ?", chat.sessionId());
        assertEquals(List.of(), holding(tables, chat));
        for (Object table :
                column("SELECT table_name FROM information_schema.tables WHERE table_schema = 'sessions'")) {
            assertEquals(
                    0L,
                    views.value(
                            "SELECT count(*) FROM sessions.%s t WHERE t::text ILIKE '%%zanzibar%%'".formatted(table)),
                    table.toString());
        }
        assertEquals(
                "COMPLETED",
                views.value("SELECT state FROM sessions.agent_turn_t WHERE session_id = ?", other.sessionId()));
    }

    private List<Object> holding(List<Object> tables, Chat chat) {
        return tables.stream()
                .filter(table -> !views.query(
                                "SELECT 1 FROM sessions.%s WHERE session_id = ? LIMIT 1".formatted(table),
                                chat.sessionId())
                        .isEmpty())
                .toList();
    }

    @Test
    @Tag("K14")
    void projectingATurnReadsABoundedNumberOfRows() throws SQLException {
        // Given
        var chat = new Chat("telegram:long");
        for (int i = 0; i < 100; i++) {
            chat.turn("question " + i, "answer " + i);
        }
        Projected.into(views.app(), chat.events());

        // When
        multiply(chat, 1, 500);
        long rowsBefore = rowsRead(chat);
        multiply(chat, 501, 5_000);
        long rowsAfter = rowsRead(chat);

        // Then
        assertEquals(100_205, views.value("SELECT count(*)::int FROM sessions.agent_message_t"));
        assertTrue(rowsBefore > 100, "the rows are counted: " + rowsBefore);
        assertTrue(
                rowsAfter < 2 * rowsBefore,
                rowsBefore + " rows were read at 10,000 messages and " + rowsAfter + " at 100,000");
    }

    /** Inserts earlier turns of twenty messages by SQL. */
    private void multiply(Chat chat, int from, int to) {
        for (String sql : List.of("""
                INSERT INTO sessions.agent_turn_t (host_id, project_id, session_id, turn_id, turn_seq, origin, origin_ref, mode, agent,
                  user_message, state, start_position, created_ts, completed_ts, aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, md5('turn' || n)::uuid, 1000000 + n, origin, n, mode, agent, user_message,
                  state, -10 * n, created_ts, completed_ts, 1, update_ts, update_user
                FROM generate_series(?::int, ?) n, sessions.agent_turn_t WHERE session_id = ? AND turn_seq = 1
                """, """
                INSERT INTO sessions.agent_message_t (host_id, project_id, session_id, message_id, turn_id, seq, position, role,
                  created_ts, completed_ts, aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, md5(turn_id::text || seq)::uuid, turn_id, seq, start_position,
                  CASE seq WHEN 0 THEN 'user' ELSE 'assistant' END, created_ts, completed_ts, 1, update_ts, update_user
                FROM sessions.agent_turn_t, generate_series(0, 19) seq
                WHERE turn_seq BETWEEN 1000000 + ? AND 1000000 + ? AND session_id = ?
                """, """
                INSERT INTO sessions.agent_message_part_t (host_id, project_id, session_id, part_id, message_id, idx, kind, content,
                  created_ts, aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, md5('part' || message_id)::uuid, message_id, 0, 'text', '{"text":"words"}',
                  created_ts, 1, update_ts, update_user
                FROM sessions.agent_message_t WHERE -position BETWEEN 10 * ? AND 10 * ? AND session_id = ?
                """)) {
            views.query(sql, from, to, chat.sessionId());
        }
        views.query("ANALYZE");
    }

    /** The number of rows that Postgres reads to project one more turn and its history. */
    private long rowsRead(Chat chat) throws SQLException {
        int before = chat.events().size();
        chat.turn("one more", "yes");
        var events = chat.events().subList(before, chat.events().size());
        try (var connection = views.app().begin(Tenant.ALL)) {
            assertEquals(
                    events.size(), new ViewStore().write(connection, events).events());
            try (var statement = connection.createStatement();
                    var result = statement.executeQuery(
                            "SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_user_tables")) {
                result.next();
                long rows = result.getLong(1);
                connection.commit();
                return rows;
            }
        }
    }
}
