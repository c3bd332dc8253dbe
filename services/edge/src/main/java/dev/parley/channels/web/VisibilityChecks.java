package dev.parley.channels.web;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;

/** Determines which sessions are a caller's own, by a command to the session: its owner may change. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
final class VisibilityChecks {
    private final CallerCommands commands;

    VisibilityChecks(CallerCommands commands) {
        this.commands = commands;
    }

    /** The visibility of a session for a caller. */
    Visibility of(Caller caller, RecordKey session) {
        boolean readsAll = caller.readsAll(session.project());
        return new Visibility(caller, session, readsAll, !readsAll && isVisible(caller, session));
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
