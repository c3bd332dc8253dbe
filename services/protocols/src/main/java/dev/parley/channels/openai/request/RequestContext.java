package dev.parley.channels.openai.request;

import dev.parley.channels.protocols.AgentInvocation;
import dev.parley.channels.protocols.TurnHeaders;
import dev.parley.domain.Ids;
import dev.parley.domain.Sha256;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.SessionStanding;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Caller, project and options of a request, from its headers.
 *
 * @param idempotencyKey the client's key of the request, or null
 * @param isRetry whether the client marks it as a retry
 * @param session the session named by a header, or null
 * @param timeout maximum wait for a response that is not streamed
 * @param content identity of caller, route and body
 */
public record RequestContext(
        Caller caller,
        Project project,
        @Nullable String idempotencyKey,
        boolean isRetry,
        @Nullable String session,
        Duration timeout,
        @Nullable String trace,
        UUID content) {
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);
    private static final Pattern WAIT = Pattern.compile("(?i)(?:^|[,;\\s])wait\\s*=\\s*\"?([0-9]{1,4})");

    /** @throws dev.parley.platform.http.ApiException 403, 404, 409 for the project */
    public static RequestContext of(HttpRequest<?> request, Caller caller, @Nullable String project, byte[] body) {
        HttpHeaders headers = request.getHeaders();
        Project targetProject = project(request, caller, project, Capability.SESSION_SEND);
        String retries = headers.get("X-Stainless-Retry-Count");
        return new RequestContext(
                caller,
                targetProject,
                headers.get("Idempotency-Key"),
                retries != null && !retries.strip().equals("0"),
                headers.get(TurnHeaders.SESSION),
                timeout(headers.get("Prefer")),
                headers.get("traceparent"),
                Ids.of(
                        "request",
                        caller.user(),
                        targetProject.projectKey(),
                        request.getPath(),
                        Sha256.hex(new String(body, StandardCharsets.ISO_8859_1))));
    }

    /**
     * The project: of the path, the header, the key, or the default one.
     *
     * @throws ApiException 403, 404, 409
     */
    public static Project project(
            HttpRequest<?> request, Caller caller, @Nullable String project, Capability capability) {
        String projectKey = project == null ? request.getHeaders().get("OpenAI-Project") : project;
        return AgentInvocation.project(caller, projectKey, capability);
    }

    /**
     * Whether the caller may make this use of something that a user of the project made, as of a session.
     *
     * @return false where it does not exist for them
     * @throws ApiException 403 where they may read it only
     */
    public static boolean may(Caller caller, Project project, UUID owner, Use use) {
        SessionStanding standing = caller.standing(project.projectKey(), owner.toString());
        if (standing.allows(Use.READ) && !standing.allows(use)) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "forbidden",
                    "Only who made it and those who lead the project may change it.");
        }
        return standing.allows(use);
    }

    private static Duration timeout(@Nullable String prefer) {
        Matcher matcher = WAIT.matcher(prefer == null ? "" : prefer);
        Duration requested = matcher.find() ? Duration.ofSeconds(Long.parseLong(matcher.group(1))) : MAX_WAIT;
        return requested.compareTo(MAX_WAIT) < 0 ? requested : MAX_WAIT;
    }
}
