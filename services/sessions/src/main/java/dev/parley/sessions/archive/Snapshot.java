package dev.parley.sessions.archive;

import dev.parley.domain.RecordKey;
import dev.parley.domain.turn.TurnEvent;
import dev.parley.domain.turn.TurnEvent.SessionErased;
import dev.parley.domain.turn.TurnEvent.SessionOpened;
import dev.parley.domain.turn.TurnEvent.TurnAccepted;
import dev.parley.domain.turn.Unfinished;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.Wire;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.sessions.NamedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * What had happened in a project at one instant. The instant is taken before the ends of the partitions are: what happened
 * because of something that is in the snapshot is in it as well, also across partitions, as far as the clocks of the
 * processes agree.
 */
final class Snapshot {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** An event is on its topic this long after it was decided on, unless its process is about to lose its work. */
    private static final Duration ON_THE_WAY = Duration.ofSeconds(1);

    private static final Map<String, Object> FAST = Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 32 << 20,
            ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);

    private final RecordFiles<TurnEvent> files = RecordFiles.of(TurnEvent.class);
    private final byte[] prefix;
    private final EventSorter rows;
    private final Map<Integer, Long> offsets = new TreeMap<>();
    private final Map<RecordKey, Unfinished> unfinished = new HashMap<>();
    /** Sessions to which something happened after the instant, before their partition's end was taken. */
    private final Set<RecordKey> later = new HashSet<>();

    /** Up to which number the events of a session are erased, whatever the log still has of them. */
    private final Map<RecordKey, Long> erased = new HashMap<>();

    private final Set<String> people = new HashSet<>();
    private @Nullable Instant instant;
    private long order;

    /** @param rows take what is found */
    Snapshot(String project, EventSorter rows) {
        this.prefix = (project + "/").getBytes(StandardCharsets.UTF_8);
        this.rows = rows;
    }

    /** Reads everything; what happens meanwhile is left out. */
    void read(KafkaClients clients) throws IOException {
        try (Consumer<byte[], byte[]> consumer = clients.consumer("export", null, FAST)) {
            List<TopicPartition> partitions = KafkaClients.partitions(consumer, Topics.TURN_EVENTS);
            Instant now = Instant.now();
            instant = now;
            offsets.putAll(ends(clients));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (partitions.stream().anyMatch(one -> consumer.position(one) < end(one.partition()))) {
                if (Thread.interrupted()) {
                    throw new IOException("the process stops");
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.offset() < end(record.partition())) {
                        take(record, now);
                    }
                }
            }
        }
    }

    /**
     * Where partitions end when what happened by the instant is on its way to them. Transactions that are open there are
     * waited for by reading up to these ends.
     */
    private static Map<Integer, Long> ends(KafkaClients clients) throws IOException {
        try (var ends = new TopicEnds(clients, Topics.TURN_EVENTS, PATIENCE)) {
            Thread.sleep(ON_THE_WAY);
            return ends.now();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the process stops", e);
        }
    }

    private long end(int partition) {
        return offsets.getOrDefault(partition, 0L);
    }

    private void take(ConsumerRecord<byte[], byte[]> record, Instant now) throws IOException {
        byte[] key = record.key();
        if (key == null || !isOurs(key)) {
            return;
        }
        int end = key.length - 1;
        while (key[end] != '#') {
            end--;
        }
        byte[] session = Arrays.copyOf(key, end);
        long seq = Long.parseLong(new String(key, end + 1, key.length - end - 1, StandardCharsets.US_ASCII));
        if (record.value() == null) {
            unfinished.remove(key(session));
            rows.add(new EventRow(session, seq, order++, false, null));
        } else {
            take(record, session, seq, now);
        }
    }

    private boolean isOurs(byte[] key) {
        return key.length > prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    static RecordKey key(byte[] session) {
        return RecordKey.parse(new String(session, StandardCharsets.UTF_8));
    }

    private void take(ConsumerRecord<byte[], byte[]> record, byte[] session, long seq, Instant now) throws IOException {
        TurnEvent event;
        try {
            event = Wire.read(Topics.TURN_EVENTS, record);
        } catch (SerializationException e) {
            throw new IOException(
                    "the record %d of partition %d of turn-events cannot be read: %s"
                            .formatted(record.offset(), record.partition(), e.getMessage()),
                    e);
        }
        RecordKey key = event.meta().key();
        if (event.meta().at().isAfter(now) || later.contains(key)) {
            later.add(key);
            return;
        }
        if (event instanceof SessionErased) {
            erased.put(key, seq);
            unfinished.remove(key);
            return;
        }
        follow(key, event);
        boolean hasFiles = !NamedFiles.of(event).isEmpty();
        rows.add(new EventRow(session, seq, order++, hasFiles, files.encoded(event, record.headers(), record.value())));
    }

    private void follow(RecordKey key, TurnEvent event) {
        Unfinished open = unfinished.computeIfAbsent(key, _ -> new Unfinished());
        open.take(event);
        if (open.isEmpty()) {
            unfinished.remove(key);
        }
        String user = user(event);
        if (user != null) {
            people.add(user);
        }
    }

    private static @Nullable String user(TurnEvent event) {
        return switch (event) {
            case SessionOpened opened -> opened.user();
            case TurnAccepted turn -> turn.user();
            default -> null;
        };
    }

    /** The instant; there is one once it was read. */
    Instant instant() {
        return Objects.requireNonNull(instant);
    }

    /** Where each partition ended. */
    Map<Integer, Long> offsets() {
        return offsets;
    }

    /** Ids of those who said something or whose sessions these are. */
    Set<String> people() {
        return people;
    }

    /** Whether this event of a session is erased. */
    boolean isErased(RecordKey session, long seq) {
        return seq <= erased.getOrDefault(session, 0L);
    }

    /** What is under way in a session, or null where nothing is. */
    @Nullable
    Unfinished unfinished(RecordKey session) {
        return unfinished.get(session);
    }

    /** Sessions that only work for turns which have not ended, and those below them. */
    boolean isOfUnfinished(RecordKey session) {
        for (int end = session.session().lastIndexOf(':');
                end > 0;
                end = session.session().lastIndexOf(':', end - 1)) {
            // a delegate's key begins with that of its parent
            RecordKey above = new RecordKey(session.project(), session.session().substring(0, end));
            Unfinished open = unfinished.get(above);
            if (open != null && open.freshDelegates().anyMatch(child -> isBelow(session, child))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBelow(RecordKey session, RecordKey child) {
        return session.equals(child) || session.session().startsWith(child.session() + ":delegate:");
    }
}
