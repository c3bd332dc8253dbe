package dev.parley.domain;

import java.util.UUID;

/**
 * A process, by whose it is.
 *
 * @param host the tenant's id
 * @param project key of its project
 * @param id unique in its host
 */
public record ProcessRef(UUID host, String project, UUID id) {
    private static final String PREFIX = "process:";

    /** The key of its records: {@code {project}/process:{id}}. */
    public RecordKey key() {
        return new RecordKey(project, PREFIX + id);
    }

    /** The id in such a key. */
    public static UUID id(RecordKey key) {
        return UUID.fromString(key.session().substring(PREFIX.length()));
    }

    /** Whether a key is that of a process, and not of a session or a bank. */
    public static boolean isKey(RecordKey key) {
        return key.session().startsWith(PREFIX);
    }
}
