package dev.parley.bench;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.Link;
import dev.parley.domain.memory.LinkType;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.BankChanged;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.Mention;
import dev.parley.domain.memory.Provenance;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.UnitBuilder;
import dev.parley.domain.memory.Utterance;
import dev.parley.memory.MemorySchema;
import dev.parley.memory.view.MemoryProjector;
import dev.parley.memory.view.MemoryReplay;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.projection.ReplayReport;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench replay}: throughput of the memory projector, and of rebuilding its tables. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description =
                "How fast the tables of memory follow memory-events, and are filled anew from it: synthetic documents"
                        + " of four facts and an observation, each with a vector, two entities and four links. Broker and"
                        + " database share this machine.")
final class BenchReplay implements Callable<Integer> {
    private static final UUID HOST = Ids.of("host", "bench");
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final int DIMENSIONS = 384;
    /** Facts of a document; an observation of two of them follows. */
    private static final int FACTS = 4;

    /** Events of a document: the document, its passages, its facts and the observation. */
    private static final int EVENTS = FACTS + 3;

    private static final int LINKS = 4;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    @Option(
            names = "--events",
            defaultValue = "50000",
            paramLabel = "N",
            description = "events in all (${DEFAULT-VALUE})")
    private int events;

    @Option(
            names = "--banks",
            defaultValue = "20",
            paramLabel = "N",
            description = "banks that they are spread over (${DEFAULT-VALUE})")
    private int banks;

    @Option(names = "--runs", defaultValue = "2", paramLabel = "N", description = "replays (${DEFAULT-VALUE})")
    private int runs;

    @Option(
            names = "--erase",
            defaultValue = "0",
            paramLabel = "N",
            description = "documents to erase from the first bank afterwards, one after the other (${DEFAULT-VALUE})")
    private int erased;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "random seed (${DEFAULT-VALUE})")
    private long seed;

    @Override
    public Integer call() throws Exception {
        Bench.withBroker(this::measure);
        return 0;
    }

    private void measure(KafkaClients clients, DataFolder data) throws Exception {
        try (EmbeddedPostgresServer postgres = EmbeddedPostgresServer.start(data, 0)) {
            var owner = Databases.single(postgres.database().owner());
            MemorySchema.migrate(owner, EmbeddedPostgresServer.APP_ROLE);
            List<SyntheticBank> syntheticBanks = write(clients);
            System.out.printf("%,d events of %d banks, seed %d%n", events, banks, seed);
            follow(clients, owner, syntheticBanks);
            for (int run = 0; run < runs; run++) {
                ReplayReport report = new MemoryReplay(owner, clients, Topics.MEMORY_EVENTS).run();
                System.out.printf(
                        "  replayed into empty tables: %,.0f events/s; the same rows as before: %s%n",
                        report.events() / (report.took().toNanos() / 1e9), report.isEqual());
            }
            if (erased > 0) {
                erase(clients, owner, syntheticBanks.getFirst());
            }
        }
    }

    /** Measures how fast the tables follow the topic while Parley runs. */
    private void follow(KafkaClients clients, DataSource owner, List<SyntheticBank> syntheticBanks) throws Exception {
        var database = Database.of(owner);
        long end = syntheticBanks.stream().mapToLong(bank -> bank.seq).sum();
        long start = System.nanoTime();
        try (var projector = new MemoryProjector(clients, database, Topics.MEMORY_EVENTS)) {
            projector.start();
            while (sumVersions(database) < end) {
                Thread.sleep(POLL_INTERVAL);
            }
        }
        System.out.printf(
                "  followed from its beginning: %,.0f events/s%n", events / ((System.nanoTime() - start) / 1e9));
    }

    private static long sumVersions(Database database) {
        String sql = "SELECT coalesce(sum(aggregate_version), 0) FROM memory.agent_memory_bank_t";
        return database.in(Tenant.ALL, transaction -> transaction.query(sql, row -> row.next() ? row.getLong(1) : 0L));
    }

    /** Measures the time from each erasure event to its visible receipt. */
    private void erase(KafkaClients clients, DataSource owner, SyntheticBank bank) throws Exception {
        var times = new Histogram(3);
        var database = Database.of(owner);
        try (var producer = clients.producer("bench");
                var projector = new MemoryProjector(clients, database, Topics.MEMORY_EVENTS)) {
            projector.start();
            for (int i = 0; i < erased && !bank.documents.isEmpty(); i++) {
                Forgotten event = bank.forget(i % 2 == 0);
                Bench.<Exception>time(times, () -> {
                    var _ = producer.send(bank.record(event)).get();
                    while (!hasReceipt(database, event)) {
                        Thread.sleep(POLL_INTERVAL);
                    }
                });
            }
        }
        System.out.printf(
                "%,d units in the bank, a document of %d erased from the tables, the newest and any in turn%n",
                bank.units.size(), FACTS);
        Bench.print("  until its receipt can be read", times);
    }

    private static boolean hasReceipt(Database database, Forgotten event) {
        String sql = "SELECT FROM memory.agent_memory_erasure_t WHERE bank_id = ? AND erasure_id = ?";
        return database.in(
                Tenant.ALL,
                transaction -> transaction.query(
                        sql, ResultSet::next, event.meta().bank().id(), event.erasure()));
    }

    private List<SyntheticBank> write(KafkaClients clients) {
        try (var producer = clients.producer("bench")) {
            var syntheticBanks = new ArrayList<SyntheticBank>();
            for (int i = 0; i < banks; i++) {
                syntheticBanks.add(new SyntheticBank(
                        new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, "person " + i),
                        i % Bench.PARTITIONS,
                        seed + i));
            }
            for (int i = 0; i < events; i++) {
                SyntheticBank bank = syntheticBanks.get(i / EVENTS % banks);
                var _ = producer.send(bank.record(bank.next()));
            }
            return syntheticBanks;
        }
    }

    /** A synthetic bank, which generates its events. */
    private static final class SyntheticBank {
        private final BankRef ref;
        private final int partition;
        private final SplittableRandom random;
        private final List<UUID> units = new ArrayList<>();
        private final List<List<UUID>> documents = new ArrayList<>();
        private long seq;
        private int step;
        private UUID document = Ids.of("none");

        SyntheticBank(BankRef ref, int partition, long seed) {
            this.ref = ref;
            this.partition = partition;
            random = new SplittableRandom(seed);
        }

        ProducerRecord<byte[], byte[]> record(MemoryEvent event) {
            return RecordCodec.record(
                    Topics.MEMORY_EVENTS,
                    partition,
                    ref.key() + "#" + event.meta().seq(),
                    event,
                    Ids.of("event", ref.id(), event.meta().seq()),
                    null);
        }

        private MemoryMeta nextMeta() {
            return new MemoryMeta(ref, ++seq, START.plusSeconds(seq), null, null);
        }

        /**
         * Erases a document with its units.
         *
         * @param newest the newest document, or else a random one
         */
        Forgotten forget(boolean newest) {
            List<UUID> ids = documents.remove(newest ? documents.size() - 1 : random.nextInt(documents.size()));
            return new Forgotten(
                    nextMeta(), Ids.of("erasure", seq), ids.subList(0, 1), ids.subList(1, ids.size()), false);
        }

        MemoryEvent next() {
            MemoryMeta meta = nextMeta();
            if (seq == 1) {
                return new BankChanged(meta, BankProfile.of(ref));
            }
            return switch (step++ % EVENTS) {
                case 0 -> documentRetained(meta);
                case 1 ->
                    new PassagesEmbedded(meta, document, Sha256.hex("chunk"), "made", List.of(vector(), vector()));
                case EVENTS - 1 -> unitLearned(meta, List.copyOf(units.subList(units.size() - 2, units.size())));
                default -> unitLearned(meta, List.of());
            };
        }

        private MemoryEvent documentRetained(MemoryMeta meta) {
            document = Ids.of("doc", ref.id(), seq);
            documents.add(new ArrayList<>(List.of(document)));
            String text = text(100);
            return new DocumentRetained(
                    meta,
                    new Document(
                            document,
                            RecordKey.of("bench:1"),
                            document,
                            seq,
                            Sha256.hex(text),
                            List.of(new Utterance(Role.USER, "Ann", text), new Utterance(Role.ASSISTANT, null, text)),
                            null,
                            List.of(),
                            meta.at(),
                            List.of(),
                            null,
                            null));
        }

        /** @param sources of an observation; empty for a fact */
        private MemoryEvent unitLearned(MemoryMeta meta, List<UUID> sources) {
            UUID id = Ids.of("unit", ref.id(), seq);
            List<Link> links = links(id);
            units.add(id);
            if (sources.isEmpty()) {
                documents.getLast().add(id);
            }
            List<Mention> mentions = List.of(mention(), mention());
            return new UnitLearned(
                    meta,
                    unit(id, meta.at(), sources),
                    mentions.stream().distinct().toList(),
                    links,
                    null);
        }

        private Unit unit(UUID id, Instant time, List<UUID> sources) {
            boolean isFact = sources.isEmpty();
            return UnitBuilder.builder()
                    .id(id)
                    .docId(isFact ? document : null)
                    .version(1)
                    .type(isFact ? FactType.WORLD : FactType.OBSERVATION)
                    .text(text(15))
                    .mentionedAt(time)
                    .tags(List.of())
                    .provenance(isFact ? provenance() : null)
                    .proofCount(Math.max(1, sources.size()))
                    .sources(sources)
                    .generation("made")
                    .vector(vector())
                    .build();
        }

        /** Links to the newest units. */
        private List<Link> links(UUID id) {
            var links = new ArrayList<Link>();
            for (int i = 0; i < Math.min(LINKS, units.size()); i++) {
                UUID other = units.get(units.size() - 1 - i);
                links.add(new Link(id, other, i % 2 == 0 ? LinkType.TEMPORAL : LinkType.SEMANTIC, 0.8));
            }
            return links;
        }

        private Provenance provenance() {
            return new Provenance(
                    RecordKey.of("bench:1"), document, Sha256.hex("chunk"), 0, 0, 80, "rules-1", null, null);
        }

        private Mention mention() {
            String name = "Name" + (int) Math.exp(random.nextDouble() * Math.log(200));
            return new Mention(Ids.of("entity", ref.id(), name), name);
        }

        private String text(int words) {
            var text = new StringBuilder();
            for (int i = 0; i < words; i++) {
                text.append('w')
                        .append((int) Math.exp(random.nextDouble() * Math.log(5_000)))
                        .append(' ');
            }
            return text.toString();
        }

        private Vector vector() {
            var values = new float[DIMENSIONS];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) ((random.nextDouble() - 0.5) / 10);
            }
            return Vector.of(values);
        }
    }
}
