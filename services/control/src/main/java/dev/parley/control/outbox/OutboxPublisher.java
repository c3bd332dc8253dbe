package dev.parley.control.outbox;

import dev.parley.control.definitions.AgentRows;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.RuleRow;
import dev.parley.control.definitions.RuleRows;
import dev.parley.control.outbox.OutboxRows.Change;
import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.DefinedRule;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.erasure.ErasureRecord.AgentGone;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.document.InvalidDocumentException;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.RecordRevisions;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes changed rows on {@code access} and {@code definitions}, and deleted agents on {@code erasures}. Rows are
 * read when they are sent, under an advisory lock that one instance holds: a change that commits late cannot bring back
 * an older state, and duplicates have no effect.
 */
public final class OutboxPublisher implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxPublisher.class);
    private static final long LOCK = 0x5041_5253_4f55_5442L;
    private static final int MAX_BATCH = 1_000;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final long SEND_SECONDS = 20;
    /** Sends time out before the lock ends: a later send could overtake the records of the next publisher. */
    private static final Map<String, Object> SETTINGS = Map.of(
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 8_000,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4_000,
            ProducerConfig.MAX_BLOCK_MS_CONFIG, 4_000);

    private final Database database;
    private final OutboxRows rows;
    private final AgentRows agents;
    private final RuleRows rules;
    private final KafkaClients clients;
    private final Semaphore wakeUps = new Semaphore(0);
    /** Unreadable changes that are already logged; used by the publisher's thread only. */
    private final Map<Long, Boolean> unreadable = new BoundedMap<>(MAX_BATCH);

    private volatile boolean stopped;
    private volatile @Nullable String problem;
    private @Nullable Thread thread;

    public OutboxPublisher(Database database, OutboxRows rows, AgentRows agents, RuleRows rules, KafkaClients clients) {
        this.database = database;
        this.rows = rows;
        this.agents = agents;
        this.rules = rules;
        this.clients = clients;
    }

    @Override
    public String name() {
        return "outbox";
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("outbox").start(this::run);
    }

    /** Starts the next pass at once, after a commit. */
    public void wake() {
        wakeUps.release();
    }

    private void run() {
        try (Producer<byte[], byte[]> producer = clients.producer("outbox", SETTINGS)) {
            while (!stopped) {
                pass(producer);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Publishes all changes, then waits for the next ones. */
    private void pass(Producer<byte[], byte[]> producer) throws InterruptedException {
        try {
            while (!stopped && rows.any() && publish(producer) == MAX_BATCH) {
                // next batch
            }
            problem = null;
            if (wakeUps.tryAcquire(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                wakeUps.drainPermits();
            }
        } catch (RuntimeException e) {
            if (problem == null) {
                LOG.atWarn().setCause(e).log("outbox publisher failed; retrying");
            }
            problem = "cannot publish: " + e.getMessage();
            TimeUnit.MILLISECONDS.sleep(RETRY_DELAY.toMillis());
        }
    }

    /**
     * Sends the oldest changes. The lock ends with the transaction, which lasts until the brokers have acknowledged
     * them.
     */
    private int publish(Producer<byte[], byte[]> producer) {
        return database.in(Tenant.ALL, transaction -> {
            List<Change> changes = rows.tryLock(LOCK) ? rows.oldest(MAX_BATCH) : List.of();
            if (changes.isEmpty()) {
                return 0;
            }
            var records = new LinkedHashMap<String, ProducerRecord<byte[], byte[]>>();
            List<Change> readable = changes.stream()
                    .filter(change -> addRecords(transaction, change, records))
                    .toList();
            // That of the database, which all publishers share; under the lock it grows from batch to batch.
            long revision = rows.micros();
            await(records.values().stream()
                    .map(record -> producer.send(RecordRevisions.revise(record, revision)))
                    .toList());
            rows.delete(readable.stream().map(Change::seq).toList());
            return readable.size();
        });
    }

    /**
     * Adds the records of a change.
     *
     * @return false for a change that cannot be read: it stays in the outbox for a build that can read it, and does not
     *     block the others; a rule is published as a denial of all calls until then
     */
    private boolean addRecords(
            Transaction transaction, Change change, Map<String, ProducerRecord<byte[], byte[]>> records) {
        try {
            for (String key : new AccessRows(transaction).keys(change.recordKey())) {
                records.computeIfAbsent(key, changed -> current(transaction, changed));
            }
            return true;
        } catch (RuntimeException e) {
            if (unreadable.put(change.seq(), true) == null) {
                LOG.atError()
                        .addKeyValue("key", change.recordKey())
                        .setCause(e)
                        .log("outbox row cannot be published and is kept");
                if (e instanceof InvalidDocumentException && change.recordKey().startsWith(CatalogueScope.RULE)) {
                    DefinedRule denial = CatalogueScope.denial(change.recordKey());
                    records.put(change.recordKey(), definition(change.recordKey(), Optional.of(denial)));
                }
            }
            return false;
        }
    }

    /** The record of a key as its rows are now. */
    private ProducerRecord<byte[], byte[]> current(Transaction transaction, String key) {
        return switch (key.substring(0, key.indexOf('/') + 1)) {
            case "agent/" -> definition(key, agent(CatalogueScope.of(key), name(key)));
            case "ended-agent/" -> ended(key);
            case CatalogueScope.RULE -> definition(key, rule(CatalogueScope.of(key), Ids.parse(name(key))));
            case "tool/" -> definition(key, CatalogueTable.TOOL.findPublished(transaction, key));
            case "skill/" -> definition(key, CatalogueTable.SKILL.findPublished(transaction, key));
            case "endpoint/" -> definition(key, CatalogueTable.ENDPOINT.findPublished(transaction, key));
            default -> access(key, new AccessRows(transaction).read(key));
        };
    }

    private Optional<Agent> agent(CatalogueScope scope, String name) {
        return agents.find(scope.host(), scope.project(), name)
                .map(row -> row.stored().require());
    }

    private Optional<DefinedRule> rule(CatalogueScope scope, UUID id) {
        return rules.find(scope.host(), scope.project(), id).map(RuleRow::toDefinition);
    }

    private static ProducerRecord<byte[], byte[]> ended(String key) {
        String[] parts = key.split("/", 5);
        UUID agent = Ids.parse(parts[2]);
        UUID erasure = AgentGone.erasure(agent);
        var gone = new AgentGone(erasure, Ids.parse(parts[1]), agent, parts[4], parts[3], Instant.now());
        return RecordCodec.record(Topics.ERASURES, gone.key(), gone, erasure, null);
    }

    private static String name(String key) {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    private static ProducerRecord<byte[], byte[]> definition(String key, Optional<? extends Definition> definition) {
        return definition
                .map(defined -> requireSendable(
                        RecordCodec.record(Topics.DEFINITIONS, key, defined, Ids.of("definition", key, defined), null)))
                .orElseGet(() -> RecordCodec.tombstone(Topics.DEFINITIONS, key));
    }

    /** @throws IllegalArgumentException for a record that the brokers would reject together with its batch */
    private static ProducerRecord<byte[], byte[]> requireSendable(ProducerRecord<byte[], byte[]> record) {
        if (record.value().length > Topics.DEFINITIONS.maxBytes()) {
            throw new IllegalArgumentException(
                    "the record has " + record.value().length + " bytes, more than the topic allows");
        }
        return record;
    }

    private static ProducerRecord<byte[], byte[]> access(String key, Optional<AccessRecord> record) {
        return record.map(current ->
                        RecordCodec.record(Topics.ACCESS, key, current, Ids.of("access", key, current.version()), null))
                .orElseGet(() -> RecordCodec.tombstone(Topics.ACCESS, key));
    }

    private static final class NotSentException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        NotSentException(Exception cause) {
            super(cause.getMessage(), cause);
        }
    }

    private static void await(List<Future<RecordMetadata>> sent) {
        try {
            for (Future<RecordMetadata> record : sent) {
                record.get(SEND_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotSentException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new NotSentException(e);
        }
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    @Override
    public void close() {
        stopped = true;
        wakeUps.release();
        try {
            if (thread != null) {
                thread.join(Duration.ofSeconds(SEND_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
