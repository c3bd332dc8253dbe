package dev.parley.domain.session;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.ActorKind;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Derives what records from before 0.2.0 do not say: who opened a session, and who sends a command. */
public final class Owners {
    /** Channels of the APIs, by which people open sessions. */
    private static final Set<String> OF_PEOPLE = Set.of("api", "fork", "import", "replay", "bench", "web");

    private Owners() {}

    /** Who opened a session. */
    public static Actor of(SessionOpened e) {
        return e.owner().isKnown() ? e.owner() : derive(e.meta().key(), e.channel(), e.user());
    }

    /**
     * Who opened a session.
     *
     * @param channel with which it was opened
     */
    static Actor derive(RecordKey key, String channel, @Nullable String user) {
        if (OF_PEOPLE.contains(channel)) {
            return Actor.person(user);
        }
        return switch (channel) {
            case "delegate" -> key.delegator().map(Actor::delegate).orElseGet(() -> Actor.person(user));
            case "workflow" -> new Actor(ActorKind.PROCESS, second(key));
            default -> Actor.bot(first(key));
        };
    }

    /** Who sends a command. */
    public static Actor sender(RecordKey key, TurnCommand command) {
        Actor actor = command.meta().actor();
        if (actor.isKnown()) {
            return actor;
        }
        return command instanceof SubmitTurn submit
                ? sender(key, submit)
                : Actor.person(command.meta().user());
    }

    private static Actor sender(RecordKey key, SubmitTurn submit) {
        return switch (submit.origin()) {
            case CHANNEL -> second(key).isEmpty() ? Actor.UNKNOWN : Actor.bot(first(key));
            case WORKFLOW ->
                submit.parent() == null
                        ? new Actor(ActorKind.PROCESS, second(key))
                        : Actor.process(submit.parent().sessionId());
            case DELEGATE ->
                submit.parent() == null
                        ? key.delegator().map(Actor::delegate).orElse(Actor.UNKNOWN)
                        : Actor.delegate(Objects.requireNonNull(submit.parent()).key());
            case SCHEDULE -> Actor.schedule(second(key));
            case API -> Actor.person(submit.meta().user());
        };
    }

    /** The first part of a session key, up to a colon. */
    public static String first(RecordKey key) {
        return part(key, 0);
    }

    /** The second part of a session key, between colons; empty if there is none. */
    public static String second(RecordKey key) {
        return part(key, 1);
    }

    private static String part(RecordKey key, int index) {
        String[] parts = key.session().split(":", index + 2);
        return index < parts.length ? parts[index] : "";
    }
}
