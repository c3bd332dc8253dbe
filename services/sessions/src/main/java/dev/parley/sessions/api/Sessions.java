package dev.parley.sessions.api;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks up single sessions for all controllers. */
@Singleton
public final class Sessions {
    private final Views views;
    private final SessionRows rows;

    Sessions(Views views, SessionRows rows) {
        this.views = views;
        this.rows = rows;
    }

    /**
     * The newest session of a key.
     *
     * @throws ApiException 404 where it does not exist, is deleted, or the caller may not read it
     */
    public SessionJson find(Caller caller, @Nullable String project, String key) {
        RecordKey record = caller.session(project, key);
        return live(caller, project, () -> rows.newest(caller.host(), record.projectId(), key))
                .orElseThrow(() -> ApiException.notFound("unknown_session", "There is no session '" + key + "'"));
    }

    /** Like {@link #find}, by slug. */
    SessionJson bySlug(Caller caller, @Nullable String project, String slug) {
        UUID projectId = caller.projectId(project);
        return live(caller, project, () -> rows.withSlug(caller.host(), projectId, slug))
                .orElseThrow(() ->
                        ApiException.notFound("unknown_session", "There is no session with the slug '" + slug + "'"));
    }

    private Optional<SessionJson> live(
            Caller caller, @Nullable String project, Supplier<Optional<SessionJson>> session) {
        return views.eventually(() -> views.read(caller.tenant(project), session)
                .filter(found -> !found.status().equals("deleted"))
                .filter(found -> caller.standing(project, found.user()).allows(Use.READ)));
    }
}
