package dev.parley.channels.web;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.Map;

/** Determines which sessions are a caller's own, by a command to the session. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
final class VisibilityChecks {
    private static final int MAX_CACHED = 10_000;

    private final CallerCommands commands;
    /** Cached permanently, because the owner of a session never changes. */
    private final Map<Own, Boolean> ownership = new BoundedMap<>(MAX_CACHED);

    private record Own(RecordKey session, String user) {}

    VisibilityChecks(CallerCommands commands) {
        this.commands = commands;
    }

    /** The visibility of a session for a caller. */
    Visibility of(Caller caller, RecordKey session) {
        boolean readsAll = caller.readsAll(session.project());
        return new Visibility(caller, session, readsAll, !readsAll && isOwn(caller, session));
    }

    private boolean isOwn(Caller caller, RecordKey session) {
        var key = new Own(session, caller.user());
        synchronized (ownership) {
            if (ownership.containsKey(key)) {
                return true;
            }
        }
        if (!isVisible(caller, session)) {
            return false;
        }
        synchronized (ownership) {
            ownership.put(key, true);
        }
        return true;
    }

    /** A change without effect, which sessions of others refuse. */
    private boolean isVisible(Caller caller, RecordKey session) {
        var meta = commands.meta(caller, session);
        try {
            return commands.execute(session, new ChangeSession(meta, Change.RENAME, null, null, null, "api", null))
                    .isPresent();
        } catch (ApiException e) {
            if (e.status() == HttpStatus.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }
}
