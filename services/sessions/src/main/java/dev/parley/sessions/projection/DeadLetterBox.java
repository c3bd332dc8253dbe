package dev.parley.sessions.projection;

import dev.parley.platform.kafka.DeadLetters;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;

/** Where a projection puts records that cannot become rows. */
@FunctionalInterface
interface DeadLetterBox {
    /** Returns when the record is safe there, with its bytes as they were. */
    void put(ConsumerRecord<byte[], byte[]> record, Exception cause);

    /** A box for who has nowhere to put them, because they are there since they were first read. */
    DeadLetterBox NOWHERE = (record, cause) -> {};

    /** The topic {@code dead-letters}. */
    static DeadLetterBox topic(Producer<byte[], byte[]> producer, String by) {
        return (record, cause) -> DeadLetters.send(producer, record, by, cause);
    }
}
