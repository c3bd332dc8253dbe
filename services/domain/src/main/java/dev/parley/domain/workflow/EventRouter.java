package dev.parley.domain.workflow;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import java.util.Set;

/** Who tells events to those who wait for them: one for each type of events in a project, and one for those who take every type. */
public final class EventRouter {
    /** Stands for every type. */
    public static final String EVERY = "*";

    private static final String PREFIX = "events:";

    private EventRouter() {}

    /** The key of the router of a type of events. @param project key of the project */
    public static RecordKey key(String project, String type) {
        return new RecordKey(project, PREFIX + Ids.of("event type", type));
    }

    /** The keys of all routers that an event of this type goes to. */
    public static Set<RecordKey> keys(String project, String type) {
        return Set.of(key(project, type), key(project, EVERY));
    }
}
