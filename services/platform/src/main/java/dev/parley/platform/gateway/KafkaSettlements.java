package dev.parley.platform.gateway;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.SettleCall;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Sends settlements to {@code tool-requests}. The first one opens the producer. */
public final class KafkaSettlements implements Settlements, AutoCloseable {
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);

    private final KafkaClients clients;
    private @Nullable Producer<byte[], byte[]> producer;

    public KafkaSettlements(KafkaClients clients) {
        this.clients = clients;
    }

    @Override
    public boolean send(RecordKey session, SettleCall settlement) {
        var record = RecordCodec.record(
                Topics.TOOL_REQUESTS,
                session.toString(),
                settlement,
                Ids.of("settle", settlement.callId(), settlement.user(), settlement.outcome()),
                null);
        try {
            open().send(record).get(SEND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized Producer<byte[], byte[]> open() {
        Producer<byte[], byte[]> opened = producer == null ? clients.producer("settlements") : producer;
        producer = opened;
        return opened;
    }

    @Override
    public synchronized void close() {
        if (producer != null) {
            producer.close(Duration.ofSeconds(2));
        }
    }
}
