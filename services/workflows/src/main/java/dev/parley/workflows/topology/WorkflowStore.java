package dev.parley.workflows.topology;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.workflow.StoredProcess;
import dev.parley.domain.workflow.StoredProcess.RecentEvent;
import dev.parley.domain.workflow.StoredProcess.StoredDefinition;
import dev.parley.domain.workflow.StoredProcess.Subscriber;
import dev.parley.domain.workflow.StoredSchedule;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.streams.KeyedStore;
import dev.parley.platform.streams.RememberedOutcomes;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.process.ProcessInstance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * State store of the workflow topology: processes, their definitions, and the subscriptions of event routers. Recently
 * used processes are cached as objects and written once per commit.
 */
final class WorkflowStore {
    static final String NAME = "workflow-store";

    private static final char PROCESS = 's';
    /** Definition by digest, in the project of its processes. */
    private static final char DEFINITION = 'd';
    /** Subscriber of a router; followed by the subscriber's id as two numbers. */
    private static final char SUBSCRIBER = 'u';
    /** Recent event of a router; followed by the time in microseconds and a hash. */
    private static final char RECENT = 'n';

    private static final RecordSerde<StoredProcess> PROCESSES = RecordSerde.of(StoredProcess.class);
    private static final RecordSerde<StoredDefinition> DEFINITIONS = RecordSerde.of(StoredDefinition.class);
    private static final RecordSerde<Subscriber> SUBSCRIBERS = RecordSerde.of(Subscriber.class);
    private static final RecordSerde<StoredSchedule> SCHEDULES = RecordSerde.of(StoredSchedule.class);
    private static final RecordSerde<RecentEvent> RECENTS = RecordSerde.of(RecentEvent.class);

    private static final char SCHEDULE = 'h';

    /** Maximum number of processes cached as objects. */
    private static final int CACHED = 2_000;

    private final KeyedStore store;
    private final RememberedOutcomes outcomes;
    private final CompiledDefinitions definitions;
    private final LinkedHashMap<RecordKey, ProcessInstance> cache = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<RecordKey, ProcessInstance> unwritten = new LinkedHashMap<>();

    WorkflowStore(ProcessorContext<byte[], byte[]> context, CompiledDefinitions definitions) {
        store = new KeyedStore(context, NAME);
        outcomes = new RememberedOutcomes(store);
        this.definitions = definitions;
        store.beforeCommit(this::write);
    }

    private void write() {
        unwritten.forEach((key, instance) -> store.put(PROCESSES, instance.toStored(), PROCESS, key));
        unwritten.clear();
    }

    /** The process of this key. */
    Optional<ProcessInstance> process(RecordKey key) {
        ProcessInstance instance = unwritten.containsKey(key) ? unwritten.get(key) : cache.get(key);
        if (instance == null) {
            StoredProcess stored = store.get(PROCESSES, PROCESS, key);
            if (stored == null) {
                return Optional.empty();
            }
            instance = ProcessInstance.of(stored, definition(key.project(), stored.definition()));
            cache(key, instance);
        }
        return Optional.of(instance);
    }

    /** Stores a process; written once per commit. */
    void put(ProcessInstance instance) {
        RecordKey key = instance.process().key();
        unwritten.put(key, instance);
        cache(key, instance);
    }

    private void cache(RecordKey key, ProcessInstance instance) {
        cache.put(key, instance);
        while (cache.size() > CACHED) {
            cache.pollFirstEntry();
        }
    }

    /** Removes a process. */
    void remove(RecordKey key) {
        unwritten.remove(key);
        cache.remove(key);
        store.delete(PROCESS, key);
    }

    /**
     * Visits the timers of all processes and schedules, after a restart. Unreadable ones are reported and skipped; their
     * commands are refused.
     *
     * @param unreadable is given key and bytes of a row
     */
    void eachDue(BiConsumer<RecordKey, Instant> to, BiConsumer<byte[], byte[]> unreadable) {
        eachDue(PROCESSES, PROCESS, stored -> stored.process().key(), StoredProcess::due, to, unreadable);
        eachDue(SCHEDULES, SCHEDULE, StoredSchedule::key, StoredSchedule::due, to, unreadable);
    }

    private <T> void eachDue(
            RecordSerde<T> serde,
            char kind,
            Function<T, RecordKey> key,
            Function<T, @Nullable Instant> time,
            BiConsumer<RecordKey, Instant> to,
            BiConsumer<byte[], byte[]> unreadable) {
        store.eachRow(serde, kind, row -> {
            T value = row.value();
            if (value == null) {
                unreadable.accept(row.key(), row.bytes());
                return;
            }
            Instant due = time.apply(value);
            if (due != null) {
                to.accept(key.apply(value), due);
            }
        });
    }

    Optional<StoredSchedule> schedule(RecordKey key) {
        return Optional.ofNullable(store.get(SCHEDULES, SCHEDULE, key));
    }

    /** Encodes a schedule, and returns the action that stores it. */
    Runnable prepare(StoredSchedule schedule) {
        return store.prepare(SCHEDULES, schedule, SCHEDULE, schedule.key());
    }

    /** Returns the action that stores the definition of a process, unless it is stored. */
    Runnable prepareDefinition(String project, String digest, String yaml) {
        RecordKey key = definitionKey(project, digest);
        return store.get(DEFINITIONS, DEFINITION, key) == null
                ? store.prepare(DEFINITIONS, new StoredDefinition(digest, yaml), DEFINITION, key)
                : () -> {};
    }

    /** Throws the failure of the store, if it has failed. */
    void throwIfFailed() {
        store.throwIfFailed();
    }

    /** A stored definition. */
    Workflow definition(String project, String digest) {
        return definitions.of(digest, () -> yaml(project, digest));
    }

    /** The text of a stored definition. */
    String yaml(String project, String digest) {
        StoredDefinition stored = store.get(DEFINITIONS, DEFINITION, definitionKey(project, digest));
        if (stored == null) {
            throw new IllegalStateException("the definition " + digest + " is not in the store");
        }
        return stored.yaml();
    }

    private static RecordKey definitionKey(String project, String digest) {
        return new RecordKey(project, "definition:" + digest);
    }

    void subscribe(RecordKey router, RecordKey subscriber) {
        UUID id = id(subscriber);
        store.put(
                SUBSCRIBERS,
                new Subscriber(subscriber),
                SUBSCRIBER,
                router,
                id.getMostSignificantBits(),
                id.getLeastSignificantBits());
    }

    void unsubscribe(RecordKey router, RecordKey subscriber) {
        UUID id = id(subscriber);
        store.delete(SUBSCRIBER, router, id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    private static UUID id(RecordKey subscriber) {
        return Ids.of("subscriber", subscriber);
    }

    /** The subscribers of a router. */
    List<RecordKey> subscribers(RecordKey router) {
        var subscribers = new ArrayList<RecordKey>();
        store.eachOf(SUBSCRIBERS, SUBSCRIBER, router, subscriber -> subscribers.add(subscriber.subscriber()));
        return subscribers;
    }

    void addRecent(RecordKey router, RecentEvent event) {
        store.put(
                RECENTS,
                event,
                RECENT,
                router,
                micros(event.at()),
                event.event().hashCode());
    }

    /** Events that a router has forwarded since a time. */
    List<RecentEvent> recent(RecordKey router, Instant since) {
        var events = new ArrayList<RecentEvent>();
        store.eachOf(RECENTS, RECENT, router, event -> {
            if (!event.at().isBefore(since)) {
                events.add(event);
            }
        });
        return events;
    }

    /** Removes the events that a router has forwarded before a time. */
    void removeRecent(RecordKey router, Instant before) {
        var old = new ArrayList<RecentEvent>();
        store.eachOf(RECENTS, RECENT, router, event -> {
            if (event.at().isBefore(before)) {
                old.add(event);
            }
        });
        old.forEach(event ->
                store.delete(RECENT, router, micros(event.at()), event.event().hashCode()));
    }

    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
    }

    RememberedOutcomes outcomes() {
        return outcomes;
    }
}
