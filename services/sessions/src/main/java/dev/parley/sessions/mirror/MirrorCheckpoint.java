package dev.parley.sessions.mirror;

import dev.parley.domain.Sha256;
import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of a committed offset: how the partition was mirrored, and when.
 *
 * @param digest of the mirror settings of the topic; {@link #CHANGING} while the mirror is being emptied
 * @param at time of the commit
 */
record MirrorCheckpoint(String digest, Instant at) {
    /** The mirror is being emptied; a reader starts this again. */
    static final String CHANGING = "changing";

    /** The mirror is no longer configured and was emptied. */
    static final String NONE = "none";

    /** Version of the JSON form; another version needs a rebuilt mirror. */
    private static final int FORM = 1;

    /** A mirror that paused for longer may have missed tombstones. One day is left for emptying it. */
    private static final Duration MAX_PAUSE = Topic.TOMBSTONES_KEPT.minusDays(1);

    /** The digest of the mirror settings of a topic, or of none. */
    static String digest(@Nullable JsonTopic topic) {
        return topic == null
                ? NONE
                : Sha256.hex(FORM + " " + new TreeSet<>(topic.types())).substring(0, 16);
    }

    /** @return null where the metadata was not written by the mirror */
    static @Nullable MirrorCheckpoint parse(String metadata) {
        int separator = metadata.indexOf('@');
        try {
            return separator < 0
                    ? null
                    : new MirrorCheckpoint(
                            metadata.substring(0, separator),
                            Instant.ofEpochSecond(Long.parseLong(metadata.substring(separator + 1))));
        } catch (NumberFormatException e) {
            return null; // set by another program: treated as missing
        }
    }

    /** Whether the mirror of a compacted topic can resume from this offset; otherwise it is rebuilt. */
    boolean canResume(String currentDigest, Instant now) {
        return digest.equals(currentDigest)
                && (currentDigest.equals(NONE) || Duration.between(at, now).compareTo(MAX_PAUSE) < 0);
    }

    @Override
    public String toString() {
        return digest + "@" + at.getEpochSecond();
    }
}
