package dev.parley.domain.workflow;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import java.util.Set;

/**
 * Event routers, which forward events to subscribers: one per event type of a project, and one for subscribers of all
 * types.
 */
public final class EventRouter {
    /** Stands for all types. */
    public static final String EVERY = "*";

    private static final String PREFIX = "events:";

    private EventRouter() {}

    /**
     * The key of the router for an event type.
     *
     * @param project key of the project
     */
    public static RecordKey key(String project, String type) {
        return new RecordKey(project, PREFIX + Ids.of("event type", type));
    }

    /** The keys of all routers that receive events of this type. */
    public static Set<RecordKey> keys(String project, String type) {
        return Set.of(key(project, type), key(project, EVERY));
    }
}
