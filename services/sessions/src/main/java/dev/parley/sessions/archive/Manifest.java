package dev.parley.sessions.archive;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What an archive says about itself; it is written last.
 *
 * @param format version of the archive's own form
 * @param id names the archive
 * @param parley version of Parley that wrote it
 * @param schemas number of the newest released set of schemas there
 * @param records fingerprint of each event's schema, by name
 * @param project key of the project
 * @param instant when everything was as it stands here, in ISO 8601
 * @param offsets where each partition of {@code turn-events} ended
 * @param missing addresses of files that events name and that were not to be found
 * @param absent what of the project is not in it, in words
 * @param entries all others in the archive
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Manifest(
        int format,
        UUID id,
        String parley,
        int schemas,
        Map<String, String> records,
        String project,
        String name,
        String instant,
        Map<Integer, Long> offsets,
        Counts counts,
        List<String> missing,
        List<String> absent,
        List<Item> entries) {
    /** What no archive of a project holds. */
    static final List<String> ABSENT =
            List.of("bots", "branches of banks", "credentials", "keys", "snapshots of files");

    /** The form that this version writes; those before 2 have sessions alone. */
    static final int FORMAT = 2;

    static final String NAME = "manifest.json";

    /**
     * How much there is.
     *
     * @param more of what is not said by sessions, by its name, such as {@code files}
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Counts(long sessions, long turns, long messages, long events, long blobs, SortedMap<String, Long> more) {
        Counts {
            more = Objects.requireNonNullElseGet(more, TreeMap::new);
        }
    }

    /**
     * A file in the archive.
     *
     * @param sha256 of its bytes, in hexadecimal digits
     * @param size bytes
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Item(String name, String sha256, long size) {}
}
