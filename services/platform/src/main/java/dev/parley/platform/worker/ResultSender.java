package dev.parley.platform.worker;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.ChildFinished;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.Found;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.CallResult.WorkAnswered;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends results, heartbeats and dead letters through one idempotent producer, outside transactions. */
final class ResultSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResultSender.class);
    private static final long ACK_SECONDS = 40;
    /** In characters or numbers, each of at most four bytes. */
    private static final int SMALL = 1 << 20;

    private final Producer<byte[], byte[]> producer;
    private final String worker;

    ResultSender(KafkaClients clients, String worker) {
        this.producer = clients.producer(worker + "-results");
        this.worker = worker;
    }

    /**
     * Sends a result and waits for its acknowledgement; retries until the deadline of the call.
     *
     * @return whether it was acknowledged
     */
    boolean deliver(RunningCall call, CallResult result) {
        ProducerRecord<byte[], byte[]> record = record(call, result);
        do {
            try {
                sendAndWait(record);
                return true;
            } catch (RecordTooLargeException e) {
                record = record(call, call.failure("the result is above the topic's limit: " + e.getMessage()));
            } catch (KafkaException | IllegalStateException e) {
                logUnsent(call, e);
                if (e instanceof IllegalStateException) {
                    return false; // the producer is closed
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        } while (call.mayRun());
        return false;
    }

    private static void logUnsent(RunningCall call, Exception failure) {
        LOG.atWarn()
                .addKeyValue("call", call.callId())
                .addKeyValue("session", call.context().key())
                .setCause(failure)
                .log("a result could not be sent");
    }

    /** The result, or a failure if it is too large for a record or cannot be serialized. */
    CallResult fitting(RunningCall call, CallResult result) {
        if (isSmall(result)) {
            return result;
        }
        try {
            int bytes = record(call, result).value().length;
            int limit = Topics.RESULTS.maxBytes();
            return bytes <= limit
                    ? result
                    : call.failure(
                            "the result has %,d bytes, more than the %,d that are possible".formatted(bytes, limit));
        } catch (KafkaException e) {
            return call.failure("the result could not be written: " + e.getMessage());
        }
    }

    /** Whether a result is so small that its exact size does not matter. */
    private static boolean isSmall(CallResult result) {
        return switch (result) {
            case ModelAnswered answer -> weight(answer.blocks()) + length(answer.raw()) < SMALL;
            case ModelFailed failure ->
                weight(failure.partial()) + failure.detail().length() < SMALL;
            case ToolAnswered answer ->
                answer.patches().isEmpty() && answer.content().length() < SMALL;
            case Embedded vectors ->
                vectors.vectors().stream().mapToLong(vector -> vector.size()).sum() < SMALL;
            case Found found -> found.sightings().size() < SMALL / 100;
            case WorkAnswered answer -> length(answer.output()) + length(answer.error()) < SMALL;
            case RetryAfter _, CallProgress _, ChildFinished _, CallResult.Settled _ -> true;
        };
    }

    private static long weight(List<Block> blocks) {
        return blocks.stream().mapToLong(Block::weight).sum();
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static ProducerRecord<byte[], byte[]> record(RunningCall call, CallResult result) {
        return RecordCodec.record(
                Topics.RESULTS,
                call.context().key(),
                call.withNewestAttempt(result),
                Ids.of("result", call.callId(), call.attempt()),
                call.context().trace());
    }

    /** The heartbeat of a call. */
    CallProgress heartbeat(RunningCall call) {
        return new CallProgress(call.callId(), call.attempt(), worker);
    }

    /** Sends a heartbeat without waiting for its acknowledgement. */
    void sendHeartbeat(RunningCall call) {
        var id = Ids.of("progress", call.callId(), call.attempt(), call.age().toMillis());
        try {
            var _ = producer.send(
                    RecordCodec.record(
                            Topics.RESULTS,
                            call.context().key(),
                            heartbeat(call),
                            id,
                            call.context().trace()),
                    (_, e) -> {
                        if (e != null) {
                            logUnsentHeartbeat(call, e);
                        }
                    });
        } catch (KafkaException | IllegalStateException e) {
            logUnsentHeartbeat(call, e);
        }
    }

    private static void logUnsentHeartbeat(RunningCall call, Exception failure) {
        LOG.atWarn().addKeyValue("call", call.callId()).setCause(failure).log("heartbeat could not be sent");
    }

    /**
     * Sends an unreadable record to {@code dead-letters} and waits for its acknowledgement.
     *
     * @return whether it was acknowledged
     */
    boolean deadLetter(ConsumerRecord<byte[], byte[]> record, Exception cause) {
        try {
            sendAndWait(DeadLetters.of(record, worker, cause));
            return true;
        } catch (RecordTooLargeException e) {
            return true; // larger than the limit of the topic; the log has its offset
        } catch (KafkaException | IllegalStateException e) {
            LOG.atError()
                    .addKeyValue("topic", record.topic())
                    .addKeyValue("offset", record.offset())
                    .setCause(e)
                    .log("dead letter could not be sent");
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void sendAndWait(ProducerRecord<byte[], byte[]> record) throws InterruptedException {
        try {
            producer.send(record).get(ACK_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException kafkaFailure ? kafkaFailure : new KafkaException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException("not acknowledged", e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
