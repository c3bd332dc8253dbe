package dev.parley.channels.openai;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, where, and how they want it: what the headers of a request say.
 *
 * @param idempotencyKey the client's own name of the request, or null
 * @param isRetry whether the client says that it has sent it before
 * @param session the session that a header names, or null
 * @param patience how long the client waits for an answer that is not streamed
 * @param content names the caller, where they ask, and what
 */
record Asking(
        Caller caller,
        Project project,
        @Nullable String idempotencyKey,
        boolean isRetry,
        @Nullable String session,
        Duration patience,
        @Nullable String trace,
        UUID content) {
    /** The session that a request goes on with; in answers, the one that it is. */
    static final String SESSION = "Parley-Session";

    /** The turn that answers. */
    static final String TURN = "Parley-Turn";

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final Pattern WAIT = Pattern.compile("(?i)(?:^|[,;\\s])wait\\s*=\\s*\"?([0-9]{1,4})");

    static Asking of(HttpRequest<?> request, Caller caller, @Nullable String project, byte[] body) {
        HttpHeaders headers = request.getHeaders();
        Project where = project(request, caller, project, Capability.SESSION_SEND);
        String retries = headers.get("X-Stainless-Retry-Count");
        return new Asking(
                caller,
                where,
                headers.get("Idempotency-Key"),
                retries != null && !retries.strip().equals("0"),
                headers.get(SESSION),
                patience(headers.get("Prefer")),
                headers.get("traceparent"),
                Ids.of(
                        "request",
                        caller.user(),
                        where.projectKey(),
                        request.getPath(),
                        Sha256.hex(new String(body, StandardCharsets.ISO_8859_1))));
    }

    /**
     * The project in which the caller wants to do this: that of the path, of the client's settings, of the key, or the default one.
     *
     * @throws dev.parley.platform.http.ApiException 403, 404, 409
     */
    static Project project(HttpRequest<?> request, Caller caller, @Nullable String project, Capability capability) {
        String named = project == null ? request.getHeaders().get("OpenAI-Project") : project;
        if (named == null && caller.key().project() != null) {
            named = RecordKey.projectKey(caller.key().project());
        }
        return caller.require(capability, named);
    }

    private static Duration patience(@Nullable String prefer) {
        Matcher matcher = WAIT.matcher(prefer == null ? "" : prefer);
        Duration asked = matcher.find() ? Duration.ofSeconds(Long.parseLong(matcher.group(1))) : LONGEST_WAIT;
        return asked.compareTo(LONGEST_WAIT) < 0 ? asked : LONGEST_WAIT;
    }
}
