package dev.parley.platform.http;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.platform.database.Tenant;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request; controllers take it as a parameter.
 *
 * @param user the user's id
 * @param host the tenant's id
 * @param admin whether the caller may see every project of the host
 */
public record Caller(String user, UUID host, boolean admin) {
    /** The tenant of an installation that has made none. */
    public static final UUID DEFAULT_HOST = Ids.of("host", "default");

    static final String ATTRIBUTE = "parley.caller";

    /** Who makes this request; empty where it came in without a key. */
    public static Optional<Caller> of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, Caller.class);
    }

    /** All projects of the caller's host. */
    public Tenant tenant() {
        return Tenant.of(host).user(user);
    }

    /**
     * One project of the caller's host.
     *
     * @param project null, as in the path {@code /v1/sessions/…}, for the default one
     * @throws ApiException 404 when the project is none of the caller's
     */
    public Tenant tenant(@Nullable String project) {
        return tenant().project(session(project, "any").projectId());
    }

    /** @throws ApiException 403 when the caller is not an administrator */
    public void requireAdmin() {
        if (!admin) {
            throw new ApiException(HttpStatus.FORBIDDEN, "forbidden", "Only administrators may do this.");
        }
    }

    /**
     * The key of a session that the caller may use.
     *
     * @param given the project; null, as in the path {@code /v1/sessions/…}, for the default one
     * @throws ApiException 404 when the project is none of the caller's, 400 when the key cannot be one
     */
    public RecordKey session(@Nullable String given, String session) {
        String project = given == null ? RecordKey.DEFAULT_PROJECT : given;
        if (!admin && !project.equals(RecordKey.DEFAULT_PROJECT)) {
            throw ApiException.notFound("unknown_project", "There is no project '" + project + "'");
        }
        if (session.indexOf('\uFFFD') >= 0) {
            throw ApiException.badRequest("invalid_key", "The session key is no valid UTF-8");
        }
        try {
            return new RecordKey(project, session);
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid_key", String.valueOf(e.getMessage()));
        }
    }
}
