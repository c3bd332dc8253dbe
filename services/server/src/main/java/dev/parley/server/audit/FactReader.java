package dev.parley.server.audit;

import dev.parley.domain.RecordKey;
import dev.parley.domain.proof.Facts;
import dev.parley.domain.proof.Place;
import dev.parley.domain.proof.RecordFact;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.streams.RememberedOutcomes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;

/** Reads the facts of a record. A record that is unreadable or on the wrong topic or partition is a fact, too. */
final class FactReader {
    /** The changelog of the turn topology's store. */
    static final String STORE = "parley-turns-turn-store-changelog";

    /** Topics whose dead letters explain a missing outcome. */
    private static final Set<String> VERIFIED =
            Set.of(Topics.TURN_COMMANDS.name(), Topics.TURN_EVENTS.name(), Topics.REPLIES.name());

    /** The maximum length of a session key. */
    private static final int MAX_KEY = 1_000;

    private final Map<String, Integer> partitions;

    /** @param partitions their number by topic */
    FactReader(Map<String, Integer> partitions) {
        this.partitions = Map.copyOf(partitions);
    }

    List<RecordFact> facts(ConsumerRecord<byte[], byte[]> record) {
        var place = new Place(
                record.topic(), record.partition(), record.offset(), Instant.ofEpochMilli(record.timestamp()));
        try {
            return read(record, place);
        } catch (SerializationException | IllegalArgumentException | NullPointerException e) {
            return record.topic().equals(STORE)
                    ? List.of()
                    : List.of(RecordFact.foreign(session(record), place, "it cannot be read"));
        }
    }

    private List<RecordFact> read(ConsumerRecord<byte[], byte[]> record, Place place) {
        if (record.topic().equals(Topics.TURN_COMMANDS.name())) {
            return command(record, place);
        }
        if (record.topic().equals(Topics.TURN_EVENTS.name())) {
            return List.of(event(record, place));
        }
        if (record.topic().equals(Topics.REPLIES.name())) {
            return List.of(Facts.of(RecordCodec.read(Topics.REPLIES, record), place));
        }
        if (record.topic().equals(STORE)) {
            return rememberedOutcome(record, place);
        }
        return deadLetter(record, place);
    }

    private List<RecordFact> command(ConsumerRecord<byte[], byte[]> record, Place place) {
        String session = RecordCodec.key(record);
        return checkPartition(record, session, place)
                .map(List::of)
                .orElseGet(() -> Facts.of(RecordCodec.read(Topics.TURN_COMMANDS, record), session, place));
    }

    private RecordFact event(ConsumerRecord<byte[], byte[]> record, Place place) {
        String key = RecordCodec.key(record);
        int hash = key.lastIndexOf('#');
        if (hash < 0) {
            return RecordFact.foreign(key, place, "its key is not {session}#{number}");
        }
        String session = key.substring(0, hash);
        long seq = Long.parseLong(key.substring(hash + 1));
        if (record.value() == null) {
            return RecordFact.tombstone(session, place, seq);
        }
        Optional<RecordFact> misplaced = checkPartition(record, session, place);
        if (misplaced.isPresent()) {
            return misplaced.get();
        }
        TurnEvent event = RecordCodec.read(Topics.TURN_EVENTS, record);
        boolean matches =
                event.meta().seq() == seq && event.meta().key().toString().equals(session);
        return matches
                ? Facts.of(event, session, place)
                : RecordFact.foreign(session, place, "its key names another event");
    }

    /** A record outside the partition of its session was not written by Parley. */
    private Optional<RecordFact> checkPartition(ConsumerRecord<byte[], byte[]> record, String session, Place place) {
        int home = Partitioning.of(RecordKey.parse(session), partitions.getOrDefault(record.topic(), 1));
        return home == record.partition()
                ? Optional.empty()
                : Optional.of(RecordFact.foreign(session, place, "partition " + home + " is its session's"));
    }

    /** None for other rows of the store. */
    private static List<RecordFact> rememberedOutcome(ConsumerRecord<byte[], byte[]> record, Place place) {
        return RememberedOutcomes.read(record.key(), record.value()).stream()
                .map(outcome -> Facts.of(
                        outcome.commandId(), outcome.outcome(), outcome.key().toString(), place))
                .toList();
    }

    private static List<RecordFact> deadLetter(ConsumerRecord<byte[], byte[]> record, Place place) {
        String topic = header(record, DeadLetters.TOPIC);
        if (!VERIFIED.contains(topic) || record.headers().lastHeader(DeadLetters.REDRIVEN) != null) {
            return List.of();
        }
        String session = topic.equals(Topics.REPLIES.name()) ? replySession(record) : session(record, topic);
        return List.of(RecordFact.deadLetter(
                session, place, topic, header(record, DeadLetters.PARTITION), header(record, DeadLetters.OFFSET)));
    }

    private static String replySession(ConsumerRecord<byte[], byte[]> record) {
        try {
            return RecordCodec.read(Topics.REPLIES, record).key().toString();
        } catch (SerializationException | IllegalArgumentException | NullPointerException e) {
            return RecordCodec.key(record); // the session is unknown: the key of the record, a bot, stands in for it
        }
    }

    private static String session(ConsumerRecord<byte[], byte[]> record) {
        return session(record, record.topic());
    }

    private static String session(ConsumerRecord<byte[], byte[]> record, String topic) {
        String key = RecordCodec.key(record);
        int hash = key.lastIndexOf('#');
        String session = topic.equals(Topics.TURN_EVENTS.name()) && hash > 0 ? key.substring(0, hash) : key;
        return session.length() > MAX_KEY ? session.substring(0, MAX_KEY) : session;
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return Objects.requireNonNullElse(RecordSerde.header(record.headers(), name), "");
    }
}
