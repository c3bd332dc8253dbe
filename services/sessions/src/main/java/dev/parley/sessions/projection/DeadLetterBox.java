package dev.parley.sessions.projection;

import dev.parley.platform.kafka.DeadLetters;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;

/** Where a projection puts records that cannot become rows. */
@FunctionalInterface
interface DeadLetterBox {
    /** Returns when the record is stored there, with its original bytes. */
    void put(ConsumerRecord<byte[], byte[]> record, Exception cause);

    /** Drops records: for replays, as they were dead-lettered when first read. */
    DeadLetterBox NOWHERE = (record, cause) -> {};

    /** Sends them to the topic {@code dead-letters}. */
    static DeadLetterBox topic(Producer<byte[], byte[]> producer, String by) {
        return (record, cause) -> DeadLetters.send(producer, record, by, cause);
    }
}
