package dev.parley.platform.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Signs records as a process does that sends them, for tests that make records as they were on a topic. */
public final class SignedRecords {
    private SignedRecords() {}

    /** Adds the signature to the headers of a record. */
    public static ProducerRecord<byte[], byte[]> sign(
            RecordSignatures signatures, ProducerRecord<byte[], byte[]> record) {
        signatures.sign(record);
        return record;
    }
}
