package dev.parley.sessions.api;

import dev.parley.domain.RecordKey;
import dev.parley.platform.database.Select;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks up single sessions for all controllers. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class Sessions {
    private final Views views;

    Sessions(Views views) {
        this.views = views;
    }

    /**
     * The newest session of a key.
     *
     * @throws ApiException 404 where it does not exist, is deleted, or the caller may not read it
     */
    SessionJson find(Caller caller, @Nullable String project, String key) {
        RecordKey record = caller.session(project, key);
        var select = new Select("SELECT " + SessionJson.COLUMNS + " FROM sessions.agent_session_t s")
                .with(
                        "WHERE s.host_id = ? AND s.project_id = ? AND s.session_key = ?",
                        caller.host(),
                        record.projectId(),
                        key)
                .with("ORDER BY s.epoch DESC LIMIT 1");
        return live(caller, project, select)
                .orElseThrow(() -> ApiException.notFound("unknown_session", "There is no session '" + key + "'"));
    }

    /** Like {@link #find}, by slug. */
    SessionJson bySlug(Caller caller, @Nullable String project, String slug) {
        RecordKey record = caller.session(project, "any");
        var select = new Select("SELECT " + SessionJson.COLUMNS + " FROM sessions.agent_session_t s")
                .with(
                        "WHERE s.host_id = ? AND s.project_id = ? AND s.slug = ?",
                        caller.host(),
                        record.projectId(),
                        slug);
        return live(caller, project, select)
                .orElseThrow(() ->
                        ApiException.notFound("unknown_session", "There is no session with the slug '" + slug + "'"));
    }

    private Optional<SessionJson> live(Caller caller, @Nullable String project, Select select) {
        boolean readsAll = caller.readsAll(project);
        return views.eventually(() -> views.read(
                        caller.tenant(project), reading -> reading.first(select, SessionJson::of))
                .filter(session -> !session.status().equals("deleted"))
                .filter(session -> readsAll || caller.user().equals(session.user())));
    }
}
