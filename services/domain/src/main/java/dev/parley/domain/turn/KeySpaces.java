package dev.parley.domain.turn;

import dev.parley.domain.Names;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.ActorKind;
import dev.parley.domain.session.Owners;
import java.util.Optional;

/**
 * The spaces of session keys that belong to somebody: only they open sessions there. Keys are compared as people read
 * them, so that {@code Deskbot:C1} with a Cyrillic letter is in the space of the bot {@code deskbot}, too.
 *
 * <ul>
 *   <li>{@code …:delegate:…}: the delegating session, the key before the last of these segments
 *   <li>{@code workflow:{process}:…}: the process
 *   <li>{@code schedule:{schedule}:…}: the schedule
 *   <li>{@code {bot}:…}, for every bot of the project: the bot
 *   <li>{@code cli:{username}}, for every account of the host: the person
 * </ul>
 */
final class KeySpaces {
    private static final String DELEGATE = ":delegate:";
    private static final String WORKFLOW = "workflow:";
    private static final String SCHEDULE = "schedule:";
    private static final String TERMINAL = "cli:";

    private KeySpaces() {}

    /** Whom a key belongs to; empty if anybody may open it. */
    static Optional<Actor> owner(RecordKey key, Definitions definitions) {
        String read = Names.fold(key.session());
        String first = read.substring(0, Math.max(0, read.indexOf(':')));
        if (read.contains(DELEGATE)) {
            return Optional.of(key.delegator().map(Actor::delegate).orElse(new Actor(ActorKind.DELEGATE, "")));
        }
        if (read.startsWith(WORKFLOW)) {
            return Optional.of(new Actor(ActorKind.PROCESS, Owners.second(key)));
        }
        if (read.startsWith(SCHEDULE)) {
            return Optional.of(new Actor(ActorKind.SCHEDULE, Owners.second(key)));
        }
        Optional<Actor> bot = definitions.bots().stream()
                .filter(name -> Names.fold(name).equals(first))
                .findFirst()
                .map(Actor::bot);
        return bot.or(() -> person(read, definitions));
    }

    private static Optional<Actor> person(String read, Definitions definitions) {
        return read.startsWith(TERMINAL)
                ? definitions.account(read.substring(TERMINAL.length())).map(Actor::person)
                : Optional.empty();
    }

    /** Whether a key is in the space of this actor, who needs no list of names to know. */
    static boolean isOf(Actor actor, RecordKey key, Definitions definitions) {
        String session = key.session();
        boolean isDelegate = session.contains(DELEGATE);
        return switch (actor.kind()) {
            case DELEGATE -> key.delegator().filter(actor::isDelegateOf).isPresent();
            case BOT -> !isDelegate && session.startsWith(actor.name() + ":");
            case PROCESS -> !isDelegate && (session + ":").startsWith(WORKFLOW + actor.name() + ":");
            case SCHEDULE -> !isDelegate && (session + ":").startsWith(SCHEDULE + actor.name() + ":");
            case PERSON ->
                !isDelegate
                        && session.startsWith(TERMINAL)
                        && owner(key, definitions).filter(actor::equals).isPresent();
            case UNKNOWN -> false;
        };
    }
}
