package dev.parley.sessions.projection;

import dev.parley.platform.kafka.DeadLetters;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a projection puts records that cannot become rows. */
@FunctionalInterface
interface DeadLetterBox {
    /** Returns when the record is safe there, with its bytes as they were. */
    void put(ConsumerRecord<byte[], byte[]> record, Exception cause);

    /** A box for who has nowhere to put them, because they are there since they were first read. */
    DeadLetterBox NOWHERE = (record, cause) -> {};

    /** The topic {@code dead-letters}. */
    static DeadLetterBox topic(Producer<byte[], byte[]> producer, String by) {
        Logger log = LoggerFactory.getLogger(DeadLetterBox.class);
        return (record, cause) -> {
            log.atWarn()
                    .addKeyValue("topic", record.topic())
                    .addKeyValue("partition", record.partition())
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("cause", cause.toString())
                    .log("an event cannot be projected and goes to dead-letters");
            try {
                producer.send(DeadLetters.of(record, by, cause)).get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new org.apache.kafka.common.errors.InterruptException(e);
            }
        };
    }
}
