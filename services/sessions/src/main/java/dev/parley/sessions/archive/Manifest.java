package dev.parley.sessions.archive;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The manifest of an archive; it is the last entry.
 *
 * @param format version of the archive format
 * @param id of the archive
 * @param parley version of Parley that wrote it
 * @param schemas version of the newest released schemas there
 * @param records fingerprint of the schema of each event, by name
 * @param project key of the project
 * @param instant of the snapshot, in ISO 8601
 * @param offsets end offset of each partition of {@code turn-events}
 * @param missing SHA-256 of files that events name and that were not found
 * @param absent descriptions of the parts of the project that the archive does not contain
 * @param entries all other entries of the archive
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
    /** Data that no archive contains. */
    static final List<String> ABSENT =
            List.of("bots", "branches of banks", "budgets", "credentials", "keys", "snapshots of files", "webhooks");

    /** The format that this version writes; version 1 has sessions only. */
    static final int FORMAT = 2;

    static final String NAME = "manifest.json";

    /**
     * Counts of the content.
     *
     * @param more counts, by name, of content outside of sessions, such as {@code files}
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
     * @param sha256 of its bytes, hexadecimal
     * @param size in bytes
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Item(String name, String sha256, long size) {}
}
