package dev.parley.platform.http;

import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.audit.AuditTrail;
import dev.parley.platform.collection.RecentCounts;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import jakarta.inject.Named;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells the audit log of requests of {@link Audited} routes, and of all that are refused to somebody who is known. What fails is
 * told twenty times a minute for each user, and no more.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Ordered.HIGHEST_PRECEDENCE + 1) // before the filter that asks who may: its refusals pass only those before it
@Requires(beans = AuditTrail.class)
final class AuditedRequests {
    private static final int REMEMBERED = 10_000;
    private static final int MOST = 20;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AuditTrail trail;
    private final RecentCounts failures = new RecentCounts(MINUTE, REMEMBERED);

    private final Executor blocking;

    AuditedRequests(AuditTrail trail, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.trail = trail;
        this.blocking = blocking;
    }

    /**
     * The same answer, when the log has what there is to tell. Where there is nothing it stays on its thread: the answer to the
     * request for a WebSocket has to, or what the client says at once would come before the connection is one.
     */
    @ResponseFilter
    CompletableFuture<HttpResponse<?>> answered(HttpRequest<?> request, HttpResponse<?> response) {
        AuditEntry entry = entry(request, response);
        return entry == null
                ? CompletableFuture.completedFuture(response)
                : CompletableFuture.supplyAsync(
                        () -> {
                            trail.record(entry);
                            return response;
                        },
                        blocking);
    }

    private @Nullable AuditEntry entry(HttpRequest<?> request, HttpResponse<?> response) {
        Caller caller = Caller.of(request).orElse(null);
        if (caller == null) {
            return null;
        }
        int status = response.code();
        Optional<RouteMatch<?>> route = RouteAttributes.getRouteMatch(request);
        Optional<AnnotationValue<Audited>> audited =
                route.flatMap(match -> match.getAnnotationMetadata().findAnnotation(Audited.class));
        boolean refused = status == HttpStatus.FORBIDDEN.getCode();
        boolean done = status < HttpStatus.BAD_REQUEST.getCode();
        if ((audited.isEmpty() && !refused) || (!done && failures.add(caller.user()) > MOST)) {
            return null;
        }
        Map<String, Object> path = route.map(RouteMatch::getVariableValues).orElse(Map.of());
        String source = audited.flatMap(one -> one.stringValue("source")).orElse("request");
        String action = audited.flatMap(one -> one.stringValue("action")).orElse("refuse");
        String subject = audited.isPresent()
                ? subject(path, response, caller)
                : request.getMethodName() + " " + request.getPath();
        return new AuditEntry(
                UUID.randomUUID(),
                caller.host(),
                project(path, caller),
                source,
                action,
                subject,
                caller.user(),
                caller.key().prefix(),
                Correlation.of(request).orElse(null),
                Instant.now(),
                done,
                refused ? "They may not do this." : done ? null : "It was answered with " + status + ".");
    }

    /** What the path names besides the project, or the response does; where they name nothing it is about the caller. */
    private static String subject(Map<String, Object> path, HttpResponse<?> response, Caller caller) {
        String named = path.entrySet().stream()
                .filter(variable -> !variable.getKey().equals("project"))
                .map(variable -> variable.getValue().toString())
                .collect(Collectors.joining("/"));
        return named.isEmpty()
                ? response.getAttribute(Audited.SUBJECT, String.class).orElse(caller.user())
                : named;
    }

    /** The project that the path names, or the one whose sessions are named without it. */
    private static @Nullable UUID project(Map<String, Object> path, Caller caller) {
        Object named = path.containsKey("key")
                ? path.getOrDefault("project", AccessDirectory.defaultProject(caller.host()))
                : path.get("project");
        try {
            return named == null ? null : RecordKey.projectId(named.toString());
        } catch (IllegalArgumentException e) {
            return null; // it has the length of an id and is none
        }
    }
}
