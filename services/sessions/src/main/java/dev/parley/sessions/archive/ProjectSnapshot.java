package dev.parley.sessions.archive;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.SessionErased;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.domain.turn.history.Unfinished;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.sessions.NamedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The events of a project up to one instant. The instant is taken before the end offsets of the partitions: if an event
 * is in the snapshot, so are its causes, also across partitions, as far as the clocks of the processes agree.
 */
final class ProjectSnapshot {
    /** Maximum time from a decision to its event on the topic, unless the process is about to lose the partition. */
    private static final Duration IN_FLIGHT = Duration.ofSeconds(1);

    private final RecordFiles<TurnEvent> files = RecordFiles.of(TurnEvent.class);
    private final TopicSlice<TurnEvent> slice;
    private final EventSorter rows;
    private final Map<RecordKey, Unfinished> unfinished = new HashMap<>();
    /** Sessions with events after the instant but before the end offset of their partition. */
    private final Set<RecordKey> later = new HashSet<>();

    /** Last erased sequence number of each session, regardless of the content of the log. */
    private final Map<RecordKey, Long> erased = new HashMap<>();

    private final Set<String> people = new HashSet<>();
    private @Nullable Instant instant;
    private long order;

    /** @param rows receives the events */
    ProjectSnapshot(KafkaClients clients, String project, EventSorter rows) {
        this.slice = new TopicSlice<>(clients, Topics.TURN_EVENTS, project);
        this.rows = rows;
    }

    /** Reads all events; events that are written meanwhile are left out. */
    void read() throws IOException {
        Instant now = Instant.now();
        instant = now;
        slice.read(IN_FLIGHT, (record, session, seq, event) -> {
            if (event == null) {
                unfinished.remove(key(session));
                rows.add(new EventRow(session, seq, order++, false, null));
            } else {
                add(record, session, seq, event, now);
            }
        });
    }

    static RecordKey key(byte[] session) {
        return RecordKey.parse(new String(session, StandardCharsets.UTF_8));
    }

    private void add(ConsumerRecord<byte[], byte[]> record, byte[] session, long seq, TurnEvent event, Instant now)
            throws IOException {
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
        rows.add(new EventRow(session, seq, order++, hasFiles, files.encode(event, record.headers(), record.value())));
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

    /** The instant; available after {@link #read}. */
    Instant instant() {
        return Objects.requireNonNull(instant);
    }

    /** End offset of each partition. */
    Map<Integer, Long> offsets() {
        return slice.offsets();
    }

    /** Ids of users who wrote messages or own sessions. */
    Set<String> people() {
        return people;
    }

    /** Whether this event of a session is erased. */
    boolean isErased(RecordKey session, long seq) {
        return seq <= erased.getOrDefault(session, 0L);
    }

    /** Open turns of a session, or null. */
    @Nullable
    Unfinished findUnfinished(RecordKey session) {
        return unfinished.get(session);
    }

    /** Whether the session is a delegate, at any depth, of a turn that has not ended. */
    boolean isOfUnfinished(RecordKey session) {
        for (int end = session.session().lastIndexOf(':');
                end > 0;
                end = session.session().lastIndexOf(':', end - 1)) {
            // a delegate's key begins with that of its parent
            RecordKey ancestor =
                    new RecordKey(session.project(), session.session().substring(0, end));
            Unfinished open = unfinished.get(ancestor);
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
