package dev.parley.tools.files;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who created a version of a file.
 *
 * @param by {@code agent} or {@code user}
 * @param author the agent's name, or the user's id
 * @param session the session of an agent; likewise turn, step and call
 * @param top the turn at the top of the delegation
 * @param at creation time of an imported version; null for a new one
 */
record Provenance(
        String by,
        String author,
        @Nullable UUID session,
        @Nullable UUID turn,
        @Nullable UUID top,
        @Nullable Integer step,
        @Nullable UUID call,
        @Nullable Instant at) {
    /** Of a new version. */
    static Provenance of(Author author) {
        return switch (author) {
            case Author.Person(String name) ->
                new Provenance(ArchivedVersion.USER, name, null, null, null, null, null, null);
            case Author.Call(String name, UUID session, UUID turn, UUID top, int step, UUID call) ->
                new Provenance(ArchivedVersion.AGENT, name, session, turn, top, step, call, null);
        };
    }

    /** Of an imported version. */
    static Provenance of(ArchivedVersion version, Instant at) {
        return new Provenance(
                version.by(),
                version.author(),
                version.session(),
                version.turn(),
                version.top(),
                version.step(),
                version.call(),
                at);
    }
}
