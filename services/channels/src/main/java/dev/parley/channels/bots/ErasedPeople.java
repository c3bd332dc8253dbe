package dev.parley.channels.bots;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.erasure.ErasureRecord.Removed;
import dev.parley.platform.access.Directory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.Wire;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forgets who erased people are on channels, and says so. Every instance does it; a second time changes nothing. */
final class ErasedPeople implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(ErasedPeople.class);
    private static final String SERVICE = "channels";
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final long SEND_SECONDS = 10;

    /** In this order: the first one needs the last. */
    private static final List<String> FORGET = List.of(
            """
            DELETE FROM channels.person_t p USING channels.channel_link_t l
            WHERE l.host_id = ? AND l.user_id = ? AND p.host_id = l.host_id AND p.bot = l.bot AND p.user_id = l.channel_user""",
            "DELETE FROM channels.link_code_t WHERE host_id = ? AND user_id = ?",
            "DELETE FROM channels.channel_link_t WHERE host_id = ? AND user_id = ?");

    private final Directory directory;
    private final Database database;
    private final KafkaClients clients;
    private final Set<UUID> done = new HashSet<>();
    private @Nullable Thread thread;
    private volatile boolean stopped;

    ErasedPeople(Directory directory, Database database, KafkaClients clients) {
        this.directory = directory;
        this.database = database;
        this.clients = clients;
    }

    @Override
    public String name() {
        return "erased people";
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("erased-people").start(this::run);
    }

    private void run() {
        boolean failed = false;
        try (Producer<byte[], byte[]> producer = clients.producer("erased-people")) {
            while (!stopped) {
                try {
                    for (var record : directory.erased()) {
                        if (record instanceof Account account && !done.contains(account.erasure())) {
                            forget(account, producer);
                        }
                    }
                    failed = false;
                } catch (RuntimeException | ExecutionException | TimeoutException e) {
                    if (!failed) {
                        LOG.atWarn().setCause(e).log("erased people cannot be forgotten now; it is tried again");
                    }
                    failed = true;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void forget(Account account, Producer<byte[], byte[]> producer)
            throws ExecutionException, TimeoutException, InterruptedException {
        UUID erasure = account.erasure();
        if (erasure == null) {
            return;
        }
        int rows = database.in(
                Tenant.of(account.host()),
                transaction -> FORGET.stream()
                        .mapToInt(sql -> transaction.update(sql, account.host(), account.user()))
                        .sum());
        var removed = new Removed(erasure, account.host(), SERVICE, rows, Instant.now());
        producer.send(Wire.record(Topics.ERASURES, removed.key(), removed, Ids.of("removed", removed.key()), null))
                .get(SEND_SECONDS, TimeUnit.SECONDS);
        done.add(erasure);
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
