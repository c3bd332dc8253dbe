package dev.parley.domain;

import java.util.UUID;

/**
 * Identity of a workflow process.
 *
 * @param host the tenant
 * @param project key of the project
 * @param id unique in its host
 */
public record ProcessRef(UUID host, String project, UUID id) {
    private static final String PREFIX = "process:";

    /** The key of the process's records: {@code {project}/process:{id}}. */
    public RecordKey key() {
        return new RecordKey(project, PREFIX + id);
    }

    /** The process id in such a key. */
    public static UUID id(RecordKey key) {
        return Ids.parse(key.session().substring(PREFIX.length()));
    }

    /** Whether this is the key of a process, not of a session or a bank. */
    public static boolean isKey(RecordKey key) {
        return key.session().startsWith(PREFIX);
    }
}
