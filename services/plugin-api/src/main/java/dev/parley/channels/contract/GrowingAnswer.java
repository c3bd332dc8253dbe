package dev.parley.channels.contract;

import java.net.URI;
import java.util.List;
import java.util.UUID;

/**
 * An answer that still grows: what a channel shows of a running turn.
 *
 * @param turn the running turn
 * @param text the text so far, as Markdown, at most 64 Ki characters; empty before the first words
 * @param progress what the agent says that it does; empty where it says nothing
 * @param activities calls of tools, the oldest first: at most the 50 newest
 */
public record GrowingAnswer(UUID turn, String text, String progress, List<Activity> activities) {
    /** Maximum number of activities. */
    public static final int MAX_ACTIVITIES = 50;

    /** Maximum number of sources of an activity. */
    public static final int MAX_SOURCES = 5;

    public GrowingAnswer {
        activities = List.copyOf(activities);
    }

    /**
     * A call of a tool.
     *
     * @param id unique in the turn
     * @param title the tool's name, in words
     * @param sources pages that its result names, at most {@link #MAX_SOURCES}; empty until it has ended
     */
    public record Activity(String id, String title, State state, List<URI> sources) {
        public Activity {
            sources = List.copyOf(sources);
        }

        /** A call without sources. */
        public Activity(String id, String title, State state) {
            this(id, title, state, List.of());
        }

        /** This activity in another state. */
        public Activity in(State other) {
            return new Activity(id, title, other, sources);
        }

        /** This activity with the pages that its result names. */
        public Activity from(List<URI> others) {
            return new Activity(id, title, state, others);
        }
    }

    /** The state of a call. */
    public enum State {
        RUNNING,
        DONE,
        FAILED
    }

    /** One line about what happens now, which is progress or else the newest running call; empty for none. */
    public String status() {
        return progress.isEmpty()
                ? activities.reversed().stream()
                        .filter(activity -> activity.state() == State.RUNNING)
                        .findFirst()
                        .map(activity -> "🔧 " + activity.title() + " …")
                        .orElse("")
                : progress;
    }

    /** The text so far, and the status as its last line. */
    public String words() {
        String status = status();
        return status.isEmpty() ? text : text.isEmpty() ? status : text + "\n\n" + status;
    }
}
