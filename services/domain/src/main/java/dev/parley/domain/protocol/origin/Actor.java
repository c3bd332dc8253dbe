package dev.parley.domain.protocol.origin;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who sends a command, or has opened a session.
 *
 * @param name the user's id, the bot's name, the process's id, the delegating session's key (with {@code #} and the
 *     epoch in which that key got another owner, if it did), or the schedule's key; empty if it is unknown
 */
public record Actor(ActorKind kind, String name) {
    /** That of records from before 0.2.0. */
    public static final Actor UNKNOWN = new Actor(ActorKind.UNKNOWN, "");

    /** The administrator's key of the installation. */
    public static final Actor OPERATOR = person(Ids.of("user", "admin").toString());

    private static final String SINCE = "#";

    /** A person, by the user's id in records; null if the user is unknown. */
    public static Actor person(@Nullable String user) {
        return new Actor(ActorKind.PERSON, user == null ? "" : user);
    }

    /** A bot of this name. */
    public static Actor bot(String name) {
        return new Actor(ActorKind.BOT, name);
    }

    /** A workflow process. */
    public static Actor process(UUID id) {
        return new Actor(ActorKind.PROCESS, id.toString());
    }

    /** A delegate of the session with this key, which always had the same owner. */
    public static Actor delegate(RecordKey delegator) {
        return delegate(delegator, 0);
    }

    /**
     * A delegate of the session with this key. A later owner of the key has other delegates than an earlier one.
     *
     * @param since the epoch in which the key got its owner
     */
    public static Actor delegate(RecordKey delegator, long since) {
        return new Actor(ActorKind.DELEGATE, delegator.session() + (since == 0 ? "" : SINCE + since));
    }

    /** A schedule with this key. */
    public static Actor schedule(String key) {
        return new Actor(ActorKind.SCHEDULE, key);
    }

    /** Whether the kind is known. */
    public boolean isKnown() {
        return kind != ActorKind.UNKNOWN;
    }

    /** Whether this is a delegate of the session with this key, of whichever owner. */
    public boolean isDelegateOf(RecordKey delegator) {
        String session = delegator.session();
        return kind == ActorKind.DELEGATE
                && (name.equals(session) || name.startsWith(session + SINCE)); // no key contains the sign
    }

    /** Whether this is a bot, process, delegate or schedule: it opens sessions in its own space of keys only. */
    public boolean isService() {
        return switch (kind) {
            case BOT, PROCESS, DELEGATE, SCHEDULE -> true;
            case PERSON, UNKNOWN -> false;
        };
    }
}
