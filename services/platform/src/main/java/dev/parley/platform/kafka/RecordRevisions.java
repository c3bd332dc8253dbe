package dev.parley.platform.kafka;

import dev.parley.platform.collection.BoundedMap;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * The newest revisions of the records of a topic: who sends an earlier record again, with its signature, brings back
 * nothing. A revision is a number in a signed header that grows with each record of a key, also with tombstones. The
 * revisions of the {@value #MAX} keys that changed last are known. For use by one thread.
 */
public final class RecordRevisions {
    private static final int MAX = 100_000;

    private final Map<String, Long> newest = new BoundedMap<>(MAX);

    /** Sets the revision of a record. */
    public static ProducerRecord<byte[], byte[]> revise(ProducerRecord<byte[], byte[]> record, long revision) {
        record.headers()
                .remove(RecordSignatures.REVISION)
                .add(RecordSignatures.REVISION, Long.toString(revision).getBytes(StandardCharsets.UTF_8));
        return record;
    }

    /** Whether a record is as new as all before it with this key; one without a revision is older than any with one. */
    boolean isNext(String key, ConsumerRecord<byte[], byte[]> record) {
        long revision = of(record);
        Long before = newest.get(key);
        if (before != null && revision < before) {
            return false;
        }
        if (revision > 0) {
            newest.put(key, revision);
        }
        return true;
    }

    /** The revision of a record, whose signature was verified; 0 if it has none. */
    private static long of(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(RecordSignatures.REVISION);
        try {
            return header == null ? 0 : Long.parseLong(new String(header.value(), StandardCharsets.UTF_8));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
