package dev.parley.tools;

import dev.parley.domain.Ids;
import dev.parley.domain.erasure.ErasureRecord;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Subscription;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.Wire;
import dev.parley.platform.service.Service;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Removes what the ledger holds of erased sessions, and says so. */
final class Erasures implements Service {
    /** The service's name in receipts. */
    static final String SERVICE = "tools";

    private static final long SEND_SECONDS = 10;
    private static final String REMEMBER = """
            INSERT INTO tools.erased_session_t (host_id, session_id)
            SELECT ?, unnest(?::uuid[]) ON CONFLICT DO NOTHING""";
    /** The rows stay for a time: whoever is asked to make the call again has to know that it was made. */
    private static final String ERASE = """
            UPDATE tools.tool_execution_t SET result = left(result, 0), files = NULL, session_key = '', decided_note = NULL
             WHERE host_id = ? AND session_id = ANY (?::uuid[])""";

    private final KafkaClients clients;
    private final Database database;
    private final Subscription<ErasureRecord> subscription;
    private @Nullable Producer<byte[], byte[]> producer;

    Erasures(KafkaClients clients, Database database) {
        this.clients = clients;
        this.database = database;
        this.subscription = new Subscription<>(clients, Topics.ERASURES, "parley-tools-erasures", this::take);
    }

    @Override
    public String name() {
        return subscription.name();
    }

    @Override
    public void start() {
        producer = clients.producer(name());
        subscription.start();
    }

    private void take(ErasureRecord record) {
        if (record instanceof ErasureRecord.SessionGone gone && producer != null) {
            Object sessions = Sql.texts(gone.sessionIds());
            int rows = database.in(Tenant.of(gone.host()), transaction -> {
                transaction.update(REMEMBER, gone.host(), sessions);
                return transaction.update(ERASE, gone.host(), sessions);
            });
            var removed = new ErasureRecord.Removed(gone.erasure(), gone.host(), SERVICE, rows, Instant.now());
            try {
                producer.send(Wire.record(
                                Topics.ERASURES, removed.key(), removed, Ids.of("removed", removed.key()), null))
                        .get(SEND_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException("it cannot be said that they are removed", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    @Override
    public Optional<String> problem() {
        return subscription.problem();
    }

    @Override
    public void close() {
        subscription.close();
        if (producer != null) {
            producer.close();
        }
    }
}
