package dev.parley.server.sessionreplay;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.SessionErased;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.server.audit.ReadProgress;
import dev.parley.server.audit.TopicRange;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of sessions from {@code turn-events}. Only the keys of other sessions on the same partitions are
 * parsed.
 */
final class RecordingReader {
    /** The maximum number of events held in memory. */
    private static final int MAX_EVENTS = 200_000;

    private final KafkaClients clients;
    private final ReadProgress progress;

    RecordingReader(KafkaClients clients, ReadProgress progress) {
        this.clients = clients;
        this.progress = progress;
    }

    /**
     * The events by session; unknown sessions are missing.
     *
     * @throws IllegalArgumentException when there are too many
     */
    Map<RecordKey, List<TurnEvent>> read(Set<RecordKey> sessions) throws IOException {
        Map<String, RecordKey> requested = sessions.stream().collect(Collectors.toMap(RecordKey::toString, key -> key));
        var found = new LinkedHashMap<RecordKey, List<TurnEvent>>();
        sessions.forEach(session -> found.put(session, new ArrayList<>()));
        try (var records = new TopicRange(
                clients,
                Map.of(Topics.TURN_EVENTS.name(), Instant.EPOCH),
                (partition, partitions) ->
                        sessions.stream().anyMatch(key -> Partitioning.of(key, partitions) == partition))) {
            progress.print("Reading at most %,d events ...".formatted(records.size()));
            records.read(record -> take(record, requested, found), progress);
        }
        return found;
    }

    /**
     * The opinions about turns.
     *
     * @param session null for all sessions
     */
    RatedTurns readOpinions(@Nullable RecordKey session) throws IOException {
        var rated = new RatedTurns();
        try (var records = new TopicRange(
                clients,
                Map.of(Topics.TURN_EVENTS.name(), Instant.EPOCH),
                (partition, partitions) -> session == null || Partitioning.of(session, partitions) == partition)) {
            progress.print("Looking for opinions among at most %,d events ...".formatted(records.size()));
            records.read(
                    record -> {
                        boolean isOpinion = record.value() != null
                                && RecordCodec.type(record)
                                        .filter(RatedTurns.TYPES::contains)
                                        .isPresent();
                        boolean isChosen =
                                session == null || RecordCodec.key(record).startsWith(session + "#");
                        if (isOpinion && isChosen) {
                            rated.take(RecordCodec.read(Topics.TURN_EVENTS, record));
                        }
                    },
                    progress);
        }
        return rated;
    }

    private static void take(
            ConsumerRecord<byte[], byte[]> record,
            Map<String, RecordKey> requested,
            Map<RecordKey, List<TurnEvent>> found) {
        String recordKey = RecordCodec.key(record);
        int hash = recordKey.lastIndexOf('#');
        RecordKey key = hash < 0 ? null : requested.get(recordKey.substring(0, hash));
        if (key == null || record.value() == null) {
            return;
        }
        List<TurnEvent> events = found.computeIfAbsent(key, _ -> new ArrayList<>());
        TurnEvent event = RecordCodec.read(Topics.TURN_EVENTS, record);
        if (event instanceof SessionErased) {
            events.clear();
        } else {
            events.add(event);
        }
        if (events.size() > MAX_EVENTS) {
            throw new IllegalArgumentException("the session '" + key + "' has more than " + MAX_EVENTS
                    + " events, which is too much for a replay");
        }
    }
}
