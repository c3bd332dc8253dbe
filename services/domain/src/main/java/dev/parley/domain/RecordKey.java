package dev.parley.domain;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The permanent key of a session's records, {@code {project}/{session key}}: it determines the partition, and so the
 * order.
 *
 * <p>A session key is {@code {channel instance}:{chat}[:{topic}]}, for example {@code telegram:648079060}; that of a
 * delegate is {@code {parent}:delegate:{agent}[~n]}.
 *
 * @param project the project's key: its UUID as text, or {@code default}
 * @param session the session key, at most 512 characters, without spaces, control characters, {@code /} and {@code #}
 */
public record RecordKey(String project, String session) implements Comparable<RecordKey> {
    /** The project of an installation without projects. */
    public static final String DEFAULT_PROJECT = "default";

    private static final String DELEGATE = ":delegate:";

    private static final Pattern PROJECT = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern SESSION = Pattern.compile("[^\\s/#\\p{Cntrl}]{1,512}");

    /** @throws IllegalArgumentException if either part has an invalid length or contains invalid characters */
    public RecordKey {
        if (!PROJECT.matcher(project).matches()) {
            throw new IllegalArgumentException(
                    "a project key is 1 to 64 letters, digits, _ or -, not '" + project + "'");
        }
        if (!SESSION.matcher(session).matches()) {
            throw new IllegalArgumentException(
                    "a session key is 1 to 512 characters without spaces, control characters, '/' and '#'");
        }
    }

    /** A session of the default project. */
    public static RecordKey of(String session) {
        return new RecordKey(DEFAULT_PROJECT, session);
    }

    /** Parses {@code {project}/{session key}}. */
    public static RecordKey parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("a record key is {project}/{session key}, not '" + text + "'");
        }
        return new RecordKey(text.substring(0, slash), text.substring(slash + 1));
    }

    /** The key of a delegate session; {@code n > 0} is the n-th fresh one of the same agent. */
    public RecordKey delegate(String agent, int n) {
        return new RecordKey(project, session + DELEGATE + agent + (n == 0 ? "" : "~" + n));
    }

    /** The delegating session, derived from the key; empty if this is not a delegate. */
    public Optional<RecordKey> delegator() {
        int end = session.lastIndexOf(DELEGATE);
        return end <= 0 ? Optional.empty() : Optional.of(new RecordKey(project, session.substring(0, end)));
    }

    /** The id of this key's session in the given epoch. */
    public UUID sessionId(long epoch) {
        return Ids.of("session", this, epoch);
    }

    /** The id of the turn started by a message with this reference from {@code origin}. */
    public UUID turnId(String origin, String originRef) {
        return Ids.of("turn", this, origin, originRef);
    }

    /** The project's id in tables. */
    public UUID projectId() {
        return projectId(project);
    }

    public static String projectKey(UUID project) {
        return project.equals(projectId(DEFAULT_PROJECT)) ? DEFAULT_PROJECT : project.toString();
    }

    /**
     * The project's id in tables: its key if that is a UUID, otherwise an id derived from it. Keys of projects that
     * were imported before 0.2.0 may be UUIDs in upper case; no new project has one ({@link #isNewProject}).
     */
    public static UUID projectId(String project) {
        String lower = project.toLowerCase(Locale.ROOT);
        return Ids.isId(lower) ? Ids.parse(lower) : Ids.of("project", project);
    }

    /**
     * Whether a new project may have this key: an id in its only form, or a name that cannot be taken for an id. That
     * no other project has the same id, on whatever host, is for the table of projects to see.
     */
    public static boolean isNewProject(String key) {
        return PROJECT.matcher(key).matches() && (Ids.isId(key) || !Ids.resemblesId(key));
    }

    @Override
    public int compareTo(RecordKey other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return project + "/" + session;
    }
}
