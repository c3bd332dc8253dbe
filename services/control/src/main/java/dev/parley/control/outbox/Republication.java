package dev.parley.control.outbox;

import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.kafka.RecordSignatures.Refused;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes rows again whose record on {@code access} or {@code definitions} is not, or not for long, believed: those
 * that a release before 0.2.0 or an older installation key signed, and those behind which somebody wrote a forged or an
 * earlier record, which compaction would leave alone.
 */
public final class Republication implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(Republication.class);
    private static final String ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    /** Keys of rows: the installation's definitions and the tools of checkouts have none. */
    private static final Pattern OWN = Pattern.compile(
            "(?:account|member)/ID/ID|(?:project|key)/[^/]{1,200}|setting/ID/.{1,200}|(?:agent|permission|endpoint)/ID/(?:ID/)?[^/]{1,200}|(?:tool|skill)/ID/(?:ID/)?[^/]{1,200}@[^/]{1,100}"
                    .replace("ID", ID));

    private static final int MAX_PENDING = 100_000;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Database database;
    private final OutboxRows rows;
    private final OutboxPublisher publisher;
    private final AccessFollower access;
    private final KafkaDefinitions definitions;
    private final KafkaClients clients;
    private final Set<String> pending = ConcurrentHashMap.newKeySet();
    private final Semaphore wakeUps = new Semaphore(0);
    private volatile boolean stopped;
    private @Nullable Thread thread;

    public Republication(
            Database database,
            OutboxRows rows,
            OutboxPublisher publisher,
            AccessFollower access,
            KafkaDefinitions definitions,
            KafkaClients clients) {
        this.database = database;
        this.rows = rows;
        this.publisher = publisher;
        this.access = access;
        this.definitions = definitions;
        this.clients = clients;
    }

    @Override
    public String name() {
        return "republication";
    }

    @Override
    public void start() {
        RecordSignatures signatures = clients.signatures();
        if (signatures == null) {
            return;
        }
        signatures.onRefused(this::onRefused);
        access.outdated().forEach(this::add);
        definitions.outdated().forEach(this::add);
        if (!pending.isEmpty()) {
            LOG.atInfo().addKeyValue("records", pending.size()).log("records are signed anew");
        }
        thread = Thread.ofVirtual().name("republication").start(this::run);
    }

    private void onRefused(Refused refused) {
        String topic = refused.record().topic();
        byte[] key = refused.record().key();
        if (key != null && (topic.equals(Topics.ACCESS.name()) || topic.equals(Topics.DEFINITIONS.name()))) {
            add(new String(key, StandardCharsets.UTF_8));
        }
    }

    private void add(String key) {
        if (OWN.matcher(key).matches() && pending.size() < MAX_PENDING) {
            pending.add(key);
            wakeUps.release();
        }
    }

    /** At most one batch a second: whoever writes forged records must not keep the publisher busy. */
    private void run() {
        try {
            while (!stopped) {
                wakeUps.acquire();
                wakeUps.drainPermits();
                List<String> keys = List.copyOf(pending);
                pending.removeAll(keys);
                mark(keys);
                TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void mark(List<String> keys) {
        try {
            database.in(Tenant.ALL, _ -> {
                keys.forEach(rows::add);
                return keys.size();
            });
            publisher.wake();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("records could not be marked to be published again; retrying");
            keys.forEach(this::add);
        }
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        stopped = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
