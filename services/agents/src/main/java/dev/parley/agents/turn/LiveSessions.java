package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.session.SessionState;
import dev.parley.platform.streams.StreamsRunner;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Interactive queries of the turn store, for the sessions whose partitions this instance has. */
@Singleton
public final class LiveSessions {
    /** The error code of a session whose stored state cannot be read. */
    public static final String UNREADABLE = "session_unreadable";

    /** The error message for it. */
    public static final String UNREADABLE_TEXT =
            "The stored state of this session cannot be read. Start a new session. Operators find the record in the dead letters.";

    private final StreamsRunner turns;

    LiveSessions(@Named(TurnFactory.APPLICATION) StreamsRunner turns) {
        this.turns = turns;
    }

    /** The answer to a query. */
    public sealed interface Answer {

        /** The session, including steps that are not committed yet. */
        record Found(SessionState state) implements Answer {}

        /** There is no such session. */
        record Unknown() implements Answer {}

        /** The stored state of the session cannot be read. */
        record Unreadable() implements Answer {}

        /**
         * Another instance has the session.
         *
         * @param instance its name
         */
        record Elsewhere(String instance) implements Answer {}

        /** No instance has the session now: its partition is being moved or restored. */
        record NotReady() implements Answer {}
    }

    /** Queries a session without blocking. */
    public Answer query(RecordKey key) {
        return turns.streams().map(streams -> query(streams, key)).orElseGet(Answer.NotReady::new);
    }

    private Answer query(KafkaStreams streams, RecordKey key) {
        try {
            KeyQueryMetadata metadata =
                    streams.queryMetadataForKey(TurnStore.NAME, key.toString(), new StringSerializer());
            if (metadata == null || metadata.equals(KeyQueryMetadata.NOT_AVAILABLE)) {
                return new Answer.NotReady();
            }
            String owner = metadata.activeHost().host();
            return owner.equals(turns.instance())
                    ? read(streams, metadata.partition(), key)
                    : new Answer.Elsewhere(owner);
        } catch (InvalidStateStoreException | IllegalStateException e) { // restoring, or not running
            return new Answer.NotReady();
        }
    }

    private static Answer read(KafkaStreams streams, int partition, RecordKey key) {
        ReadOnlyKeyValueStore<Bytes, byte[]> store = streams.store(
                StoreQueryParameters.fromNameAndType(TurnStore.NAME, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                        .withPartition(partition));
        try {
            return Optional.ofNullable(TurnStore.session(store, key))
                    .filter(SessionState::exists)
                    .<Answer>map(Answer.Found::new)
                    .orElseGet(Answer.Unknown::new);
        } catch (SerializationException e) {
            return new Answer.Unreadable();
        }
    }
}
