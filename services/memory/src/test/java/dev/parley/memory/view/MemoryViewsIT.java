package dev.parley.memory.view;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.Link;
import dev.parley.domain.memory.LinkType;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.Mention;
import dev.parley.memory.MemorySchema;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.embedded.PostgresDatabase;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.projection.MovedException;
import dev.parley.platform.projection.ReplayReport;
import dev.parley.platform.testkit.TestInfra;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows of the memory tables after events. Each test has its own bank and host. */
class MemoryViewsIT {
    private static final List<String> BELOW = List.of(
            "doc",
            "unit",
            "unit_source",
            "entity",
            "unit_entity",
            "entity_cooccur",
            "link",
            "directive",
            "reflection",
            "mental_model",
            "unit_version");

    private static PostgresDatabase database;
    private static Database app;
    private static DataSource owner;

    @BeforeAll
    static void migrate() {
        database = TestInfra.newDatabase();
        migrate(database);
        app = Database.of(Databases.single(database.app()));
        owner = Databases.single(database.owner());
    }

    private static void migrate(PostgresDatabase database) {
        MemorySchema.migrate(Databases.single(database.owner()), database.app().user());
    }

    private static BankRef bankOf(String user) {
        return new BankRef(Ids.of("host", user), RecordKey.DEFAULT_PROJECT, null, user);
    }

    // ---- stored rows

    @Test
    @Tag("M16")
    @Tag("M18")
    @Tag("M19")
    void storesProvenanceAndEntitiesOfAUnit() throws SQLException {
        // Given
        BankRef bank = bankOf("provenance");
        var log = new BankLog(bank)
                .retained("d1", "Alice moved to Oslo.\u0000", "She owns a parrot.")
                .learned("u1", "d1", "Alice moved to Oslo.", "Alice", "Oslo")
                .learned("u2", "d1", "Alice owns a parrot.", "Alice")
                .learned("o1", null, "Alice lives with a parrot in Oslo.", List.of("u1", "u2"), List.of(), List.of())
                .retired("u2", "it flew away");

        // When
        write(log.events);

        // Then
        assertEquals(
                "[{5,3,1,t,openai/gpt-5}]",
                list(
                        bank,
                        "SELECT ARRAY[disposition->>'skepticism', disposition->>'literalism', disposition->>'empathy', active::text::char(1), model]"
                                + " FROM memory.agent_memory_bank_t"));
        assertEquals("[rules/1 default/test:ann Alice moved to Oslo. 384]", list(bank, """
                        SELECT concat_ws(' ', u.metadata#>>'{provenance,extractor}', u.metadata#>>'{provenance,session}',
                          substr(d.original_text, (u.metadata#>>'{provenance,from}')::int + (d.metadata#>>'{sayings,0,from}')::int + 1,
                            (u.metadata#>>'{provenance,to}')::int), cardinality(u.embedding))
                        FROM memory.agent_memory_unit_t u JOIN memory.agent_memory_doc_t d USING (host_id, bank_id, doc_id)
                        WHERE u.active AND d.active"""));
        assertEquals(
                "[it flew away]",
                list(bank, "SELECT metadata#>>'{retired,reason}' FROM memory.agent_memory_unit_t WHERE NOT active"));
        assertEquals(
                "[{%s,%s}]".formatted(BankLog.unit("u1"), BankLog.unit("u2")),
                list(bank, "SELECT source_memory_ids FROM memory.agent_memory_unit_t WHERE fact_type = 'observation'"));
        assertEquals(
                "[Alice 2, Oslo 1]",
                list(
                        bank,
                        "SELECT canonical_name || ' ' || mention_count FROM memory.agent_memory_entity_t WHERE active ORDER BY 1"));
        assertEquals("[Alice moved to Oslo., Alice owns a parrot.]", list(bank, """
                        SELECT u.content FROM memory.agent_memory_entity_t e
                        JOIN memory.agent_memory_unit_entity_t m USING (host_id, bank_id, entity_id)
                        JOIN memory.agent_memory_unit_t u USING (host_id, bank_id, unit_id)
                        WHERE e.canonical_name = 'Alice' ORDER BY 1"""));
    }

    @Test
    @Tag("M5")
    @Tag("M30")
    void tracksUnreadChunksOfEachDocument() throws SQLException {
        BankRef bank = bankOf("waiting");
        String waiting = "SELECT cardinality(waiting) FROM memory.agent_memory_doc_t";
        var log = new BankLog(bank).retained("d", "one", "two", "two");
        write(log.events);
        assertEquals("[2]", list(bank, waiting), "the same twice is read once");

        write(log.read("d", "two").events);
        assertEquals("[1]", list(bank, waiting));

        write(log.retained("d", "two", "three").events);
        assertEquals("[1]", list(bank, waiting), "what it said before is not read again");

        write(log.read("d", "three").retained("d", "one", "three").events);
        assertEquals("[1]", list(bank, waiting), "what comes back is");
        assertEquals(
                "[0 3]",
                list(
                        bank,
                        "SELECT c->>'from', c->>'to' FROM memory.agent_memory_doc_t, jsonb_array_elements(metadata->'chunks') c LIMIT 1"));
    }

    @Test
    @Tag("M4")
    @Tag("M6")
    void recordsAReceiptOfEachErasure() throws SQLException {
        // Given
        BankRef bank = bankOf("receipts");
        var log = new BankLog(bank)
                .retained("d", "x")
                .retained("e", "y")
                .learned("u1", "d", "Alice met Bob.")
                .learned("u2", "e", "Bob met Alice.")
                .forgotten(List.of("d"), List.of("u1"), false);
        write(log.events);
        run(bank, """
                INSERT INTO memory.agent_memory_operation_t (host_id, bank_id, operation_id, doc_id, state, update_ts)
                SELECT host_id, bank_id, doc_id, doc_id, 'taken', to_timestamp(0) FROM memory.agent_memory_doc_t""");

        // When
        write(log.forgotten(List.of(), List.of(), true).events);
        write(log.events);

        // Then
        assertEquals(
                "[f 1 1 ann, t 1 1 ann]",
                list(
                        bank,
                        "SELECT whole, documents, units, update_user FROM memory.agent_memory_erasure_t ORDER BY aggregate_version"));
        assertEquals(0, rows(bank, "operation"));
    }

    @Test
    @Tag("M35")
    void storesVectorsOfOneGenerationInOneColumn() throws SQLException {
        BankRef bank = bankOf("generations");
        var log = new BankLog(bank)
                .generation("test", null)
                .retained("d1", "x")
                .learned("u1", "d1", "Alice moved to Oslo.")
                .learned("u2", "d1", "Alice owns a parrot.")
                .generation("test", "other")
                .embedded("u1", "other")
                .embedded("u2", "other");
        write(log.events);
        assertEquals("[test other 2]", generations(bank));
        assertEquals("[t, t]", list(bank, "SELECT " + IS_OTHER.formatted("other_embedding") + UNITS));

        write(log.generation("other", "test").events);
        assertEquals("[other test 2]", generations(bank));
        assertEquals("[t, t]", list(bank, "SELECT " + IS_OTHER.formatted("embedding") + UNITS));
        assertEquals("[f, f]", list(bank, "SELECT " + IS_OTHER.formatted("other_embedding") + UNITS));

        write(log.generation("other", null).events);
        assertEquals("[other 0]", generations(bank));
        assertEquals("[t, t]", list(bank, "SELECT " + IS_OTHER.formatted("embedding") + UNITS));
        assertEquals("[t, t]", list(bank, "SELECT other_embedding IS NULL" + UNITS));
    }

    @Test
    @Tag("M35")
    void storesReflectionVectorsOfTheSearchedGeneration() throws SQLException {
        // Given
        BankRef bank = bankOf("thoughts");
        var log = new BankLog(bank)
                .generation("test", null)
                .retained("d1", "x")
                .learned("u1", "d1", "Alice moved to Oslo.")
                .generation("test", "other")
                .reflected("Where does Alice live?", "In Oslo.", BankLog.unit("u1"))
                .embedded(Ids.of("reflection", "Where does Alice live?"), "other")
                .generation("other", "test");

        // When
        write(log.events);

        // Then
        String rows = " FROM memory.agent_memory_reflection_t";
        assertEquals("[t]", list(bank, "SELECT " + IS_OTHER.formatted("embedding") + rows));
        assertEquals("[other test 0]", generations(bank), "they are not counted among the units");

        // When
        write(log.reflected("Where does Alice live?", "In Oslo, in May.", BankLog.unit("u1")).events);

        // Then
        assertEquals("[t]", list(bank, "SELECT other_embedding IS NULL" + rows));
    }

    @Test
    @Tag("M36")
    void listsTheDifferencesBetweenABranchAndItsBank() throws SQLException {
        // Given
        BankRef bank = bankOf("branched");
        BankRef branch = bank.branch("what-if");
        write(new BankLog(bank)
                .retained("d", "x")
                .learned("same", "d", "Alice owns a parrot.")
                .learned("changed", "d", "Alice moved to Oslo.")
                .learned("gone", "d", "Alice sings.")
                .learned("lost", "d", "Alice runs.")
                .events);
        write(new BankLog(branch)
                .retained("d", "x")
                .learned("same", "d", "Alice owns a parrot.")
                .learned("changed", "d", "Alice moved to Rome.")
                .learned("gone", "d", "Alice sings.")
                .retired("gone", "she stopped")
                .learned("new", "d", "Alice paints.")
                .events);

        // Then
        assertEquals(
                "[changed Alice moved to Oslo. / Alice moved to Rome., only_bank Alice runs., only_bank Alice sings.,"
                        + " only_branch Alice paints.]",
                list(
                        bank,
                        "SELECT difference || ' ' || concat_ws(' / ', bank_content, branch_content)"
                                + " FROM memory.agent_memory_branch_diff_v WHERE branch_id = '" + branch.id()
                                + "' ORDER BY 1"));
        assertEquals(
                "[" + bank.id() + "]",
                list(bank, "SELECT origin_id FROM memory.agent_memory_bank_t WHERE branch = 'what-if'"));
    }

    private static final String IS_OTHER = "(%s::real[])[1] = 1 AND (%1$s::real[])[2] = 0";
    private static final String UNITS = " FROM memory.agent_memory_unit_t";

    private static String generations(BankRef bank) throws SQLException {
        return list(
                bank,
                "SELECT concat_ws(' ', generation, other_generation, other_units) FROM memory.agent_memory_bank_t");
    }

    @Test
    @Tag("M20")
    @Tag("M24")
    void countsCooccurringEntitiesAsOneUnorderedPair() throws SQLException {
        // Given
        BankRef bank = bankOf("pairs");

        // When
        write(new BankLog(bank)
                .retained("d", "x")
                .learned("u1", "d", "Alice met Bob.", "Alice", "Bob")
                .learned("u2", "d", "Bob met Alice.", "Bob", "Alice")
                .events);

        // Then
        assertEquals("[2]", list(bank, "SELECT cooccur_count FROM memory.agent_memory_entity_cooccur_t"));
        assertEquals(
                "[Alice 1, Bob 1]", // links from the first unit to the second
                list(bank, """
                        SELECT e.canonical_name || ' ' || l.weight FROM memory.agent_memory_entity_link_v l
                        JOIN memory.agent_memory_entity_t e USING (host_id, bank_id, entity_id)
                        WHERE l.from_unit_id = '%s' ORDER BY 1""".formatted(BankLog.unit("u1"))));
    }

    @Test
    @Tag("M20")
    void relearnedUnitUpdatesCooccurrenceCounts() throws SQLException {
        BankRef bank = bankOf("again");
        var log = new BankLog(bank).retained("d", "x");
        for (String time : List.of("c", "b", "a", "b", "c")) { // the text determines the time; it goes back at "a"
            write(log.learned("u", "d", time, "Alice", "Bob").events);
            assertCountsAreExact(bank, time);
        }
    }

    @Test
    @Tag("M18")
    void keepsOneActiveEntityPerNameAndDropsForgottenNames() throws SQLException {
        // Given
        BankRef bank = bankOf("names");
        var first = BankLog.entity("one");
        var second = BankLog.entity("two");
        var log = new BankLog(bank)
                .retained("d", "x")
                .learned("u1", "d", "one", List.of(), List.of(), List.of(new Mention(first, "Bob")))
                .learned("u2", "d", "two", List.of(), List.of(), List.of(new Mention(second, "BOB")))
                .learned("u3", "d", "three", List.of(), List.of(), List.of(new Mention(first, "Bob Lee")));

        // When
        write(log.events.subList(0, 4));

        // Then
        assertEquals(
                "[1 2]",
                list(
                        bank,
                        "SELECT count(*) FILTER (WHERE active) || ' ' || count(*) FROM memory.agent_memory_entity_t"));

        // When
        write(log.events);

        // Then
        assertEquals(
                "[BOB, Bob Lee]",
                list(
                        bank,
                        "SELECT canonical_name FROM memory.agent_memory_entity_t WHERE active ORDER BY canonical_name COLLATE \"C\""));

        // When
        write(log.forgotten(List.of(), List.of("u3"), false).events);

        // Then
        assertEquals(
                "[1 0]",
                list(
                        bank,
                        "SELECT count(*) FILTER (WHERE active) || ' ' || count(*) FILTER (WHERE canonical_name = 'Bob Lee') FROM memory.agent_memory_entity_t"));
    }

    // ---- determinism

    @Test
    @Tag("M18")
    @Tag("M20")
    @Tag("M34")
    void rowsDoNotDependOnDuplicatesPortionsOrCompaction() throws SQLException {
        for (int seed = 0; seed < 3; seed++) {
            var random = new Random(seed);
            BankRef bank = bankOf("random" + seed);
            List<MemoryEvent> events = randomLog(bank, random, 120);
            write(events);
            Map<String, String> expected = digest(bank);
            assertCountsAreExact(bank, "seed " + seed);

            write(events);
            assertEquals(expected, digest(bank), "twice, seed " + seed);

            remove(bank);
            for (int from = 0; from < events.size(); ) {
                int to = Math.min(events.size(), from + 1 + random.nextInt(9));
                write(events.subList(Math.max(0, from - random.nextInt(5)), to)); // with duplicates
                from = to;
                if (seed == 0) { // expensive
                    assertCountsAreExact(bank, "after %d events".formatted(to));
                }
            }
            assertEquals(expected, digest(bank), "from nothing in portions, seed " + seed);

            remove(bank);
            write(compacted(events));
            assertEquals(expected, digest(bank), "after compaction, seed " + seed);

            for (List<MemoryEvent> history : List.of(events, compacted(events))) {
                remove(bank);
                writeAsReplay(history, random);
                assertEquals(expected, digest(bank), "replayed, seed " + seed);
            }
        }
    }

    /** Units of few documents about few people whose names change, in random order. */
    private static List<MemoryEvent> randomLog(BankRef bank, Random random, int events) {
        var log = new BankLog(bank);
        var learned = new HashSet<String>();
        @Nullable String otherGeneration = null;
        while (log.events.size() < events) {
            String doc = bank.user() + "d" + random.nextInt(6);
            String unit = doc + "u" + random.nextInt(4);
            String other = bank.user() + "d" + random.nextInt(6) + "u" + random.nextInt(4);
            switch (random.nextInt(17)) {
                case 0, 1 -> log.retained(doc, "text " + random.nextInt());
                case 2 -> log.retired(unit, "no more");
                case 3 -> log.directive("rule" + random.nextInt(3), random.nextInt(5), random.nextBoolean());
                case 4 -> log.noDirective("rule" + random.nextInt(3));
                case 7 -> log.read(doc);
                case 8 -> {
                    otherGeneration = random.nextInt(3) == 0 ? null : "other" + random.nextInt(2);
                    log.generation("test", otherGeneration);
                }
                case 9 -> {
                    if (otherGeneration != null) {
                        log.generation(otherGeneration, "test").generation("test", otherGeneration);
                    }
                }
                case 10, 11 -> {
                    if (otherGeneration != null && learned.contains(unit)) {
                        log.embedded(unit, otherGeneration);
                    }
                }
                case 5 -> {
                    boolean withDocument = random.nextInt(3) == 0;
                    List<String> units = Stream.concat(
                                    Stream.of(unit, other),
                                    learned.stream().filter(name -> withDocument && name.startsWith(doc)))
                            .distinct()
                            .toList();
                    log.forgotten(withDocument ? List.of(doc) : List.of(), units, false);
                    learned.removeAll(units);
                }
                case 6 -> {
                    if (random.nextInt(8) == 0) {
                        log.forgotten(List.of(), List.of(), true);
                        learned.clear();
                    }
                }
                default -> {
                    var mentions = new LinkedHashMap<UUID, Mention>();
                    for (int i = random.nextInt(4); i > 0; i--) {
                        UUID entity = BankLog.entity("e" + random.nextInt(7));
                        mentions.put(entity, new Mention(entity, "Name" + random.nextInt(9)));
                    }
                    boolean related = learned.contains(other) && !other.equals(unit);
                    learned.add(unit);
                    log.retained(doc, "text " + random.nextInt())
                            .learned(
                                    unit,
                                    doc,
                                    "text " + random.nextInt(),
                                    related && random.nextBoolean() ? List.of(other) : List.of(),
                                    related
                                            ? List.of(new Link(
                                                    BankLog.unit(unit),
                                                    BankLog.unit(other),
                                                    LinkType.SEMANTIC,
                                                    random.nextDouble()))
                                            : List.of(),
                                    List.copyOf(mentions.values()));
                }
            }
        }
        return List.copyOf(log.events);
    }

    /** Omits the records that forgetting replaced by tombstones. */
    private static List<MemoryEvent> compacted(List<MemoryEvent> events) {
        var remaining = new ArrayList<MemoryEvent>();
        Set<UUID> erasedIds = new HashSet<>();
        boolean bankErased = false;
        for (MemoryEvent event : events.reversed()) {
            boolean erased = switch (event) {
                case DocumentRetained e ->
                    bankErased || erasedIds.contains(e.document().id());
                case UnitLearned e ->
                    bankErased
                            || erasedIds.contains(e.unit().id())
                            || erasedIds.contains(e.unit().docId());
                case UnitRetired e -> bankErased || erasedIds.contains(e.unitId());
                case UnitEmbedded e -> bankErased || erasedIds.contains(e.unitId());
                case Forgotten e -> {
                    erasedIds.addAll(e.documents());
                    erasedIds.addAll(e.units());
                    bankErased |= e.whole();
                    yield false;
                }
                default -> false;
            };
            if (!erased) {
                remaining.addFirst(event);
            }
        }
        return remaining;
    }

    private static void assertCountsAreExact(BankRef bank, String message) throws SQLException {
        assertEquals(list(bank, """
                        SELECT concat_ws(' ', entity_id, count(*), max(aggregate_version), (array_agg(update_ts ORDER BY aggregate_version DESC))[1],
                          (array_agg(name ORDER BY char_length(name) DESC, name COLLATE "C"))[1])
                        FROM memory.agent_memory_unit_entity_t GROUP BY entity_id ORDER BY 1"""), list(bank, """
                        SELECT concat_ws(' ', entity_id, mention_count, aggregate_version, update_ts, canonical_name)
                        FROM memory.agent_memory_entity_t ORDER BY 1"""), message);
        assertEquals(list(bank, """
                        SELECT concat_ws(' ', a.entity_id, b.entity_id, count(*), (array_agg(u.event_date ORDER BY a.aggregate_version DESC))[1],
                          max(a.aggregate_version), (array_agg(a.update_ts ORDER BY a.aggregate_version DESC))[1])
                        FROM memory.agent_memory_unit_entity_t a JOIN memory.agent_memory_unit_entity_t b USING (host_id, bank_id, unit_id)
                        JOIN memory.agent_memory_unit_t u USING (host_id, bank_id, unit_id)
                        WHERE a.entity_id < b.entity_id GROUP BY a.entity_id, b.entity_id ORDER BY 1"""), list(bank, """
                        SELECT concat_ws(' ', entity_id_1, entity_id_2, cooccur_count, last_cooccurred, aggregate_version, update_ts)
                        FROM memory.agent_memory_entity_cooccur_t ORDER BY 1"""), message);
        assertEquals(
                list(bank, "SELECT coalesce(sum(other_vectors), 0) FROM memory.agent_memory_unit_t"),
                list(bank, "SELECT other_units FROM memory.agent_memory_bank_t"),
                message);
        assertEquals(
                list(bank, """
                        SELECT DISTINCT concat_ws(' ', s, u.unit_id) FROM memory.agent_memory_unit_t u, unnest(u.source_memory_ids) s
                        ORDER BY 1"""),
                list(
                        bank,
                        "SELECT concat_ws(' ', source_id, unit_id) FROM memory.agent_memory_unit_source_t ORDER BY 1"),
                message);
        assertEquals("[0]", list(bank, """
                        SELECT count(*) FROM memory.agent_memory_unit_t u, unnest(u.source_memory_ids) s
                        WHERE NOT EXISTS (SELECT FROM memory.agent_memory_unit_t o WHERE o.bank_id = u.bank_id AND o.unit_id = s)"""), "sources that are gone, " + message);
        assertEquals(
                list(bank, "SELECT count(DISTINCT name_key) FROM memory.agent_memory_entity_t"),
                list(bank, "SELECT count(*) FROM memory.agent_memory_entity_t WHERE active"),
                message);
    }

    // ---- constraints, deletion, visibility

    @Test
    @Tag("M15")
    @Tag("M20")
    @Tag("M27")
    void constraintsRejectInvalidRows() throws SQLException {
        // Given
        BankRef bank = bankOf("checks");
        write(new BankLog(bank)
                .retained("d", "x")
                .learned("u1", "d", "Alice met Bob.", "Alice", "Bob")
                .learned("u2", "d", "Bob met Alice.", "Bob", "Alice")
                .events);
        String link = "INSERT INTO memory.agent_memory_link_t (host_id, bank_id, from_unit_id, to_unit_id, link_type%s)"
                + " SELECT host_id, bank_id, '%s', '%s', '%s'%s FROM memory.agent_memory_bank_t";
        UUID first = BankLog.unit("u1");
        UUID second = BankLog.unit("u2");

        // Then
        assertRefused(bank, "UPDATE memory.agent_memory_unit_t SET fact_type = 'fact'");
        assertRefused(
                bank,
                "UPDATE memory.agent_memory_entity_cooccur_t SET entity_id_1 = entity_id_2, entity_id_2 = entity_id_1");
        assertRefused(bank, link.formatted("", first, first, "causes", ""));
        assertRefused(bank, link.formatted("", first, second, "likes", ""));
        assertRefused(bank, link.formatted(", weight", first, second, "causes", ", 1.5"));
        assertRefused(bank, link.formatted("", first, UUID.randomUUID(), "causes", ""));
        run(bank, link.formatted("", first, second, "causes", ""));
        run(bank, link.formatted("", first, second, "enables", ""));
        assertRefused(bank, link.formatted("", first, second, "enables", ""));
        assertEquals("[1, 1]", list(bank, "SELECT weight FROM memory.agent_memory_link_t"));
    }

    private static void assertRefused(BankRef bank, String sql) {
        var refused = assertThrows(SQLException.class, () -> run(bank, sql), sql);
        assertTrue(String.valueOf(refused.getSQLState()).startsWith("23"), refused.getMessage());
    }

    @Test
    @Tag("M4")
    void forgettingOrDeletingABankDeletesItsRows() throws SQLException {
        // Given
        BankRef bank = bankOf("goes");
        var log = new BankLog(bank)
                .retained("d", "x")
                .learned("u1", "d", "Alice met Bob.", "Alice", "Bob")
                .learned(
                        "u2",
                        "d",
                        "Bob met Alice.",
                        List.of("u1"),
                        List.of(new Link(BankLog.unit("u2"), BankLog.unit("u1"), LinkType.CAUSES, 1)),
                        List.of())
                .directive("names", 1, true)
                .reflected("who met?", "Alice met Bob [m1].", BankLog.unit("u1"))
                .model("m", false)
                .answered("m", 1, "They met.", "u1");
        write(log.events);
        BELOW.forEach(table -> assertTrue(rows(bank, table) > 0, table));

        // When
        write(log.forgotten(List.of(), List.of(), true).events);

        // Then
        BELOW.forEach(table -> assertEquals(0, rows(bank, table), table));
        assertEquals("[f]", list(bank, "SELECT active FROM memory.agent_memory_bank_t"));

        // When
        write(log.retained("d", "y").events);

        // Then
        assertEquals("[t]", list(bank, "SELECT active FROM memory.agent_memory_bank_t"));

        // When
        remove(bank);

        // Then
        BELOW.forEach(table -> assertEquals(0, rows(bank, table), table));
        assertEquals(0, rows(bank, "bank"));
    }

    @Test
    @Tag("M14")
    @Tag("M29")
    void reflectionsAreActiveWhileTheirSourcesAre() throws SQLException {
        // Given
        BankRef bank = bankOf("thought");
        UUID doc = BankLog.doc("d");
        var log = new BankLog(bank)
                .retained("d", "x")
                .learned("u1", "d", "Alice met Bob.", "Alice")
                .learned("u2", "d", "Bob left.", "Bob")
                .reflected("who met?", "Alice met Bob [m1].", BankLog.unit("u1"))
                .reflected("who left?", "Bob [m1].", BankLog.unit("u2"))
                .reflected("what is said?", "x [m1].", doc)
                .model("m", false)
                .answered("m", 1, "They met.", "u1")
                .answered("m", 2, "They met, and he left.", "u1")
                .retired("u1", "they did not");

        // When
        write(log.events);

        // Then
        String reflections = "SELECT question || ' ' || active::text FROM memory.agent_memory_reflection_t ORDER BY 1";
        assertEquals("[what is said? true, who left? true, who met? false]", list(bank, reflections));
        assertEquals(
                "[test/thinker 2 15 " + BankLog.unit("u2") + "]",
                list(
                        bank,
                        "SELECT concat_ws(' ', metadata->>'model', metadata->>'modelCalls',"
                                + " (metadata->>'inputTokens')::int + (metadata->>'outputTokens')::int, metadata#>>'{basedOn,0}')"
                                + " FROM memory.agent_memory_reflection_t WHERE question = 'who left?'"));
        assertEquals(
                "[1 They met., 2 They met, and he left.]",
                list(bank, "SELECT version || ' ' || content FROM memory.agent_memory_unit_version_t ORDER BY 1"));

        // When
        write(log.retained("d", "y").reflected("who met?", "Nobody [m1].", BankLog.unit("u2")).events);

        // Then
        assertEquals("[what is said? false, who left? true, who met? true]", list(bank, reflections));

        // When
        for (int version = 3; version < 54; version++) {
            log.answered("m", version, "Version " + version + ".", "u2");
        }
        write(log.model("m", true).events);

        // Then
        assertEquals(
                "[4 50]", list(bank, "SELECT min(version) || ' ' || count(*) FROM memory.agent_memory_unit_version_t"));
        assertEquals(0, rows(bank, "mental_model"));

        // When
        String reflectionId = Ids.of("reflection", "who left?").toString();
        log.forgottenUnits(List.of(BankLog.unit("u2"), BankLog.unit("m"), UUID.fromString(reflectionId)));
        write(log.events);

        // Then
        assertEquals(0, rows(bank, "unit_version"));
        assertEquals("[what is said? false, who met? true]", list(bank, reflections));
    }

    @Test
    void otherHostsAndProjectsSeeNoRows() throws SQLException {
        // Given
        var userLog =
                new BankLog(bankOf("mine")).retained("d", "x").learned("u", "d", "Alice met Bob.", "Alice", "Bob");
        var hostLog = new BankLog(new BankRef(userLog.bank.host(), null, null, null))
                .retained("h", "x")
                .learned("v", "h", "y", "Carol");
        write(userLog.events);
        write(hostLog.events);
        Tenant host = Tenant.of(userLog.bank.host());
        Tenant project = host.project(RecordKey.projectId(RecordKey.DEFAULT_PROJECT));

        // Then
        for (String view : List.of("agent_memory_unit_t", "agent_memory_entity_t", "agent_memory_entity_link_v")) {
            for (Tenant stranger :
                    List.of(Tenant.NONE, Tenant.of(UUID.randomUUID()), host.project(RecordKey.projectId("theirs")))) {
                assertEquals("[0]", list(stranger, "SELECT count(*) FROM memory." + view));
            }
        }
        String units = "SELECT count(*) FROM memory.agent_memory_unit_t WHERE bank_id = '%s'";
        assertEquals("[1]", list(project, units.formatted(userLog.bank.id())));
        assertEquals("[0]", list(project, units.formatted(hostLog.bank.id())), "a host's bank is none of a project's");
        assertEquals("[1]", list(host, units.formatted(hostLog.bank.id())));
    }

    @Test
    @Tag("M16")
    @Tag("M17")
    @Tag("M21")
    void frequentQueriesUseTheirIndexes() throws SQLException {
        // Given
        String anyBank = " WHERE host_id = '%s' AND bank_id = '%s' ";
        String bank = anyBank.formatted(UUID.randomUUID(), UUID.randomUUID());
        String id = "'" + UUID.randomUUID() + "'";
        BankRef observed = observedOften();
        Map<String, String> queries = Map.of(
                "idx_mem_unit_bank",
                "agent_memory_unit_t" + bank + "AND active ORDER BY event_date DESC LIMIT 10",
                "idx_mem_unit_retired",
                "agent_memory_unit_t" + bank + "AND NOT active ORDER BY event_date DESC LIMIT 10",
                "idx_mem_doc_bank",
                "agent_memory_doc_t" + bank + "ORDER BY aggregate_version DESC LIMIT 10",
                "idx_mem_doc_waiting",
                "agent_memory_doc_t" + bank + "AND waiting <> '{}'",
                "idx_mem_entity_mentions",
                "agent_memory_entity_t" + bank + "ORDER BY mention_count DESC, entity_id LIMIT 10",
                "agent_memory_unit_source_t_pkey",
                "agent_memory_unit_source_t" + anyBank.formatted(observed.host(), observed.id()) + "AND source_id = '"
                        + BankLog.unit("often7") + "'",
                "idx_mem_cooccur_e1",
                "agent_memory_entity_cooccur_t" + bank + "AND entity_id_1 = " + id + " ORDER BY cooccur_count DESC",
                "idx_mem_cooccur_e2",
                "agent_memory_entity_cooccur_t" + bank + "AND entity_id_2 = " + id + " ORDER BY cooccur_count DESC");

        // Then
        for (var query : queries.entrySet()) {
            String plan = list(
                    Tenant.ALL,
                    "SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off",
                    "EXPLAIN SELECT * FROM memory." + query.getValue());
            assertTrue(plan.contains(query.getKey()), plan);
        }
        assertEquals(
                "[1]",
                list(
                        Tenant.ALL,
                        "SELECT count(*) FROM pg_indexes WHERE schemaname = 'memory'"
                                + " AND indexname = 'idx_mem_unit_sources' AND indexdef LIKE '%USING gin (source_memory_ids)%'"));
    }

    /** A bank with table statistics: on an empty table Postgres prefers no index to another. */
    private static BankRef observedOften() throws SQLException {
        var log = new BankLog(bankOf("observed often")).retained("often", "x");
        for (int i = 0; i < 100; i++) {
            log.learned("often" + i, "often", "y");
        }
        for (int i = 0; i < 100; i++) {
            List<String> sources = List.of("often" + i, "often" + (i + 1) % 100, "often" + (i + 2) % 100);
            log.learned("observed" + i, null, "z", sources, List.of(), List.of());
        }
        write(log.events);
        try (Connection connection = owner.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE memory.agent_memory_unit_source_t");
        }
        return log.bank;
    }

    // ---- projection from the topic

    @Test
    @Tag("M15")
    @Tag("M34")
    void projectorRejectsInvalidRecordsAndContinuesAtItsPosition() throws Exception {
        BankRef bank = bankOf("topic");
        var clients = TestInfra.kafka().clients();
        try (var admin = clients.admin("test")) {
            new TopicAdmin(admin, 2, (short) 1).createMissing();
        }
        var log = new BankLog(bank)
                .retained("t1", "x")
                .learned("t1", "t1", "Alice met Bob.", "Alice", "Bob")
                .learned("t2", "no such document", "Bob met Alice.", "Bob", "Alice")
                .learned("t3", "t1", "Alice saw Bob.", "Alice", "Bob");
        try (var producer = clients.producer("test")) {
            for (MemoryEvent event : log.events) {
                String key = bank.key() + "#" + event.meta().seq();
                producer.send(RecordCodec.record(Topics.MEMORY_EVENTS, 0, key, event, UUID.randomUUID(), null))
                        .get();
            }
            byte[] key = "x#1".getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(Topics.MEMORY_EVENTS.name(), 0, key, key))
                    .get();
            producer.send(RecordCodec.tombstone(Topics.MEMORY_EVENTS, 0, "x#2")).get();
            follow(clients, 7);
            String counts = "SELECT mention_count FROM memory.agent_memory_entity_t";
            assertEquals("[2, 2]", list(bank, counts));

            producer.send(RecordCodec.record(
                            Topics.MEMORY_EVENTS, 0, "again", log.events.get(2), UUID.randomUUID(), null))
                    .get();
            producer.send(RecordCodec.record(
                            Topics.MEMORY_EVENTS,
                            0,
                            "new",
                            log.retired("t3", "no").events.getLast(),
                            UUID.randomUUID(),
                            null))
                    .get();
            follow(clients, 9);
            assertEquals("[2, 2]", list(bank, counts));
            assertEquals("[1]", list(bank, "SELECT count(*) FROM memory.agent_memory_unit_t WHERE active"));
            replay(clients, bank);
        }
        try (var dead = clients.consumer("dead", null, Map.of("auto.offset.reset", "earliest"))) {
            var partitions = KafkaClients.partitions(dead, Topics.DEAD_LETTERS);
            assertEquals(
                    2,
                    dead.endOffsets(partitions).values().stream()
                            .mapToLong(Long::longValue)
                            .sum());
        }
    }

    /** Rows of other tests have no records in the topic: the first replay drops them. No projector runs meanwhile. */
    private static void replay(KafkaClients clients, BankRef bank) throws SQLException {
        Map<String, String> before = digest(bank);
        var replay = new MemoryReplay(owner, clients, Topics.MEMORY_EVENTS);
        assertEquals(9, replay.run().events());
        assertEquals(before, digest(bank));

        ReplayReport second = replay.run();
        assertTrue(second.isEqual());
        assertEquals(2, second.rejected());
        assertEquals(before, digest(bank));

        try (Connection other = owner.getConnection();
                Statement lock = other.createStatement();
                var producer = clients.producer("none")) {
            lock.execute("SELECT pg_advisory_lock(" + dev.parley.memory.MemorySchema.REPLAY_LOCK + ")");
            var projection = new MemoryProjection(Topics.MEMORY_EVENTS, app, producer);
            projection.readWatermarks(List.of(0));
            assertThrows(MovedException.class, () -> projection.project(List.of(), Map.of(0, 99L)));
        }
        assertKilledReplayIsRepaired(clients, before, bank);
    }

    private static void assertKilledReplayIsRepaired(KafkaClients clients, Map<String, String> before, BankRef bank)
            throws SQLException {
        String counts = "SELECT (SELECT count(*) FROM pg_indexes WHERE schemaname = 'memory'),"
                + " (SELECT count(*) FROM pg_constraint WHERE connamespace = 'memory'::regnamespace)";
        String complete = list(Tenant.ALL, counts);
        try (Connection killed = Database.of(owner).begin(Tenant.ALL);
                Statement statement = killed.createStatement()) {
            DeferredIndexes.defer(killed);
            statement.execute("DELETE FROM memory.agent_memory_entity_t");
            killed.commit();
        }
        assertNotEquals(complete, list(Tenant.ALL, counts));
        try (var producer = clients.producer("none")) {
            var projection = new MemoryProjection(Topics.MEMORY_EVENTS, app, producer);
            Map<Integer, Long> positions = projection.readWatermarks(List.of(0));
            assertThrows(MovedException.class, () -> projection.project(List.of(), positions));
            migrate(database);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertEquals(complete, list(Tenant.ALL, counts)));
            assertEquals(before, digest(bank));
            assertDoesNotThrow(() -> projection.project(List.of(), positions));
        }
    }

    /** Runs a projector until this number of records is projected. */
    private static void follow(KafkaClients clients, int records) {
        try (var projector = new MemoryProjector(clients, app, Topics.MEMORY_EVENTS)) {
            projector.start();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertEquals(
                            "[" + records + "]",
                            list(Tenant.ALL, "SELECT coalesce(sum(\"offset\"), 0) FROM memory.projection_offset_t")));
        }
    }

    // ---- the database

    private static void write(List<MemoryEvent> events) throws SQLException {
        try (Connection connection = app.begin(Tenant.ALL)) {
            new MemoryViews(connection).write(events);
            connection.commit();
        }
    }

    /** Writes events as a replay does: in portions, with the expensive parts at the end. */
    private static void writeAsReplay(List<MemoryEvent> events, Random random) throws SQLException {
        try (Connection connection = Database.of(owner).begin(Tenant.ALL)) {
            DeferredIndexes.defer(connection);
            for (int from = 0; from < events.size(); ) {
                int to = Math.min(events.size(), from + 1 + random.nextInt(9));
                new MemoryViews(connection, false).write(events.subList(from, to));
                from = to;
            }
            connection.commit();
        }
        DeferredIndexes.restore(Database.of(owner));
    }

    private static void remove(BankRef bank) throws SQLException {
        run(bank, "DELETE FROM memory.agent_memory_bank_t");
    }

    private static long rows(BankRef bank, String table) {
        try {
            String count = list(bank, "SELECT count(*) FROM memory.agent_memory_" + table + "_t");
            return Long.parseLong(count.substring(1, count.length() - 1));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> digest(BankRef bank) throws SQLException {
        var digests = new LinkedHashMap<String, String>();
        digests.put("bank", list(bank, "SELECT t::text FROM memory.agent_memory_bank_t t"));
        for (String table : BELOW) {
            digests.put(
                    table, list(bank, "SELECT t::text FROM memory.agent_memory_%s_t t ORDER BY 1".formatted(table)));
        }
        return digests;
    }

    /** Runs a statement that sees the rows of the bank's host alone. */
    private static void run(BankRef bank, String sql) throws SQLException {
        try (Connection connection = app.begin(Tenant.of(bank.host()));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            connection.commit();
        }
    }

    private static String list(BankRef bank, String sql) throws SQLException {
        return list(Tenant.of(bank.host()), sql);
    }

    /** The rows of the last statement; columns joined. */
    private static String list(Tenant tenant, String... statements) throws SQLException {
        var found = new ArrayList<String>();
        try (Connection connection = app.begin(tenant);
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < statements.length - 1; i++) {
                statement.execute(statements[i]);
            }
            try (ResultSet row = statement.executeQuery(statements[statements.length - 1])) {
                while (row.next()) {
                    var columns = new ArrayList<String>();
                    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        columns.add(String.valueOf(row.getString(i)));
                    }
                    found.add(String.join(" ", columns));
                }
            }
        }
        return found.toString();
    }
}
