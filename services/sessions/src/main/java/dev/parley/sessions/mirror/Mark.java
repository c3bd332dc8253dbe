package dev.parley.sessions.mirror;

import dev.parley.domain.Sha256;
import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the committed offset of a partition carries: how it was mirrored, and when.
 *
 * @param digest of what is wanted of its topic; {@link #CHANGING} while the mirror is being emptied
 * @param at when the offset was committed
 */
record Mark(String digest, Instant at) {
    /** Whoever finds it begins with the emptying. */
    static final String CHANGING = "changing";

    /** A mirror that nobody wants any more, and that was emptied. */
    static final String NONE = "none";

    /** How records are written; another form is another mirror. */
    private static final int FORM = 1;

    /** Whoever was away for longer may not hear what was erased meanwhile. A day is left for the emptying. */
    private static final Duration HEARS_OF_ERASURES = Topic.TOMBSTONES_KEPT.minusDays(1);

    /** The digest of what is wanted of a topic, or null for nothing. */
    static String digest(@Nullable JsonTopic wanted) {
        return wanted == null
                ? NONE
                : Sha256.hex(FORM + " " + new TreeSet<>(wanted.types())).substring(0, 16);
    }

    /** @return null where an offset carries nothing that was written here */
    static @Nullable Mark parse(String metadata) {
        int at = metadata.indexOf('@');
        try {
            return at < 0
                    ? null
                    : new Mark(
                            metadata.substring(0, at),
                            Instant.ofEpochSecond(Long.parseLong(metadata.substring(at + 1))));
        } catch (NumberFormatException e) {
            return null; // somebody else has set the offset: as if there were none
        }
    }

    /** Whether the mirror of a compacted topic can go on from this offset, or has to be made anew. */
    boolean holds(String wanted, Instant now) {
        return digest.equals(wanted)
                && (wanted.equals(NONE) || Duration.between(at, now).compareTo(HEARS_OF_ERASURES) < 0);
    }

    @Override
    public String toString() {
        return digest + "@" + at.getEpochSecond();
    }
}
