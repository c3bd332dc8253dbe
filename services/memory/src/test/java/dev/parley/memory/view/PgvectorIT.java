package dev.parley.memory.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.memory.bank.StandaloneBank;
import dev.parley.memory.search.Indexes;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.embedding.Embedder;
import dev.parley.platform.embedding.HashedWords;
import dev.parley.platform.embedding.MiniLm;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.projection.ReplayReport;
import dev.parley.platform.testkit.TestInfra;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.jupiter.api.io.TempDir;

/** The memory tables with pgvector, which the embedded Postgres lacks. */
class PgvectorIT {
    private static final UUID HOST = Ids.of("host", "pgvector");
    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
    /** A separate topic: other tests count the records of memory-events. */
    private static final Topic<MemoryEvent> EVENTS =
            new Topic<>("pgvector-events", MemoryEvent.class, "bank#seq", Topic.Cleanup.COMPACT, null, 8 << 20);

    @RegisterExtension
    static final TestWatcher WATCHER = new TestWatcher() {
        @Override
        public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
            System.err.println("Postgres with pgvector said:\n" + server.output());
        }
    };

    @TempDir
    static Path folder;

    private static PgvectorServer server;
    private static DataSource owner;

    @BeforeAll
    static void start() throws Exception {
        var started = PgvectorServer.start();
        Assumptions.assumeTrue(started.isPresent(), PgvectorServer.NONE);
        server = started.orElseThrow();
        owner = Databases.single(server.login());
        run("CREATE ROLE " + PgvectorServer.APP_ROLE);
        server.migrate(owner); // creates the extension
        run("DROP SCHEMA memory CASCADE");
        run("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public");
        server.migrate(owner); // finds an existing extension
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = owner.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    @Tag("M8")
    @Tag("M34")
    void findsTextsByVectorInSqlAndReplaysToTheSameRows() throws Exception {
        // Given
        BankRef ann = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, "ann");
        BankRef ben = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, "ben");
        var clients = TestInfra.kafka().clients();
        List<MemoryEvent> events = new ArrayList<>(retained(
                ann,
                MiniLm.SHARED,
                "My sister Clara adopted a greyhound in May 2025.",
                "The invoices of the bakery are paid on Fridays.",
                "Bob moved from Oslo to Bergen."));
        events.addAll(retained(ben, new HashedWords(), "Bob moved from Oslo to Bergen."));
        publish(clients, events);

        // When
        var replay = new MemoryReplay(owner, clients, EVENTS);
        ReplayReport first = replay.run();
        ReplayReport second = replay.run();

        // Then
        assertEquals(events.size(), first.events());
        assertEquals(0, first.rejected());
        assertTrue(first.isEqual() && second.isEqual(), first + " and " + second);
        assertEquals(List.of("vector(384)"), list("""
                SELECT format_type(atttypid, atttypmod) FROM pg_attribute
                WHERE attname = 'embedding' AND attrelid = 'memory.agent_memory_unit_t'::regclass"""));
        assertEquals(List.of("384"), list("SELECT DISTINCT vector_dims(embedding)" + of(ann)));
        assertEquals(
                List.of("Ann: My sister Clara adopted a greyhound in May 2025."), nearest(ann, "Who has got a dog?"));
        assertEquals(
                List.of("The invoices of the bakery are paid on Fridays."), nearest(ann, "When do bills get settled?"));
        assertEquals(
                List.of("1 of 1"),
                list("SELECT count(*) FILTER (WHERE embedding IS NULL) || ' of ' || count(*)" + of(ben)));
        String plan = String.join("\n", list("SET LOCAL enable_seqscan = off", """
                EXPLAIN SELECT content FROM memory.agent_memory_unit_t ORDER BY embedding <=> '%s' LIMIT 2""".formatted(vector("dog"))));
        assertTrue(plan.contains("idx_mem_unit_embedding"), plan);
    }

    private static String of(BankRef bank) {
        return " FROM memory.agent_memory_unit_t WHERE bank_id = '%s'".formatted(bank.id());
    }

    private static List<String> nearest(BankRef bank, String question) throws SQLException {
        return list("SELECT content%s ORDER BY embedding <=> '%s' LIMIT 1".formatted(of(bank), vector(question)));
    }

    private static String vector(String text) {
        return Arrays.toString(MiniLm.SHARED.embed(List.of(text)).getFirst());
    }

    // ---- a bank, and its events

    /** The events of a bank that retains these texts. */
    private static List<MemoryEvent> retained(BankRef ref, Embedder embedder, String... texts) throws IOException {
        try (var indexes = new Indexes(folder)) {
            var bank = new StandaloneBank(ref, indexes.open());
            Deque<MemoryEffect> effects = new ArrayDeque<>();
            for (String text : texts) {
                effects.addAll(bank.handle(retain(ref, text), NOW));
            }
            while (!effects.isEmpty()) {
                if (effects.poll() instanceof MemoryEffect.Embed embed) {
                    effects.addAll(bank.handle(new MemoryInput.Answered(answer(embedder, embed.request())), NOW));
                }
            }
            return bank.events();
        }
    }

    private static Retain retain(BankRef bank, String text) {
        UUID id = Ids.of(bank.id(), text);
        var meta = new CommandMeta(id, HOST, NOW, bank.user(), null, null);
        var sayings = List.of(new Utterance(Role.USER, "Ann", text));
        return new Retain(meta, bank, id, null, null, null, sayings, null, List.of(), NOW, null);
    }

    private static CallResult answer(Embedder embedder, EmbedRequest request) {
        List<Vector> vectors =
                embedder.embed(request.texts()).stream().map(Vector::of).toList();
        return new CallResult.Embedded(request.callId(), request.attempt(), embedder.name(), vectors);
    }

    private static void publish(KafkaClients clients, List<MemoryEvent> events) throws Exception {
        try (var admin = clients.admin("pgvector")) {
            admin.createTopics(List.of(new NewTopic(EVENTS.name(), 1, (short) 1)))
                    .all()
                    .get();
        }
        try (var producer = clients.producer("pgvector")) {
            for (MemoryEvent event : events) {
                String key = event.meta().bank().key() + "#" + event.meta().seq();
                producer.send(RecordCodec.record(EVENTS, key, event, Ids.of(key), null))
                        .get();
            }
        }
    }

    private static List<String> list(String... statements) throws SQLException {
        var found = new ArrayList<String>();
        try (Connection connection = Database.of(owner).begin(Tenant.ALL);
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < statements.length - 1; i++) {
                statement.execute(statements[i]);
            }
            try (ResultSet row = statement.executeQuery(statements[statements.length - 1])) {
                while (row.next()) {
                    found.add(row.getString(1));
                }
            }
        }
        return found;
    }
}
