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
 * Records requests of {@link Audited} routes in the audit log, and all requests that are forbidden to an authenticated
 * caller. Failures are limited to 20 per minute and user.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Ordered.HIGHEST_PRECEDENCE + 1) // before the security filter, whose rejections only pass earlier filters
@Requires(beans = AuditTrail.class)
final class AuditedRequests {
    private static final int MAX_USERS = 10_000;
    private static final int MAX_FAILURES = 20;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AuditTrail trail;
    private final RecentCounts failures = new RecentCounts(MINUTE, MAX_USERS);
    private final Executor blocking;

    AuditedRequests(AuditTrail trail, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.trail = trail;
        this.blocking = blocking;
    }

    /**
     * The response, after the entry was sent. Without an entry it stays on its thread: a WebSocket handshake must, or
     * the first message of the client could arrive before the connection is established.
     */
    @ResponseFilter
    CompletableFuture<HttpResponse<?>> onResponse(HttpRequest<?> request, HttpResponse<?> response) {
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
        Optional<RouteMatch<?>> route = RouteAttributes.getRouteMatch(request);
        Optional<AnnotationValue<Audited>> audited =
                route.flatMap(match -> match.getAnnotationMetadata().findAnnotation(Audited.class));
        if (!isRecorded(audited.isPresent(), response.code(), caller)) {
            return null;
        }
        Map<String, Object> path = route.map(RouteMatch::getVariableValues).orElse(Map.of());
        String subject = audited.isPresent()
                ? subject(path, response, caller)
                : request.getMethodName() + " " + request.getPath();
        return entry(request, response.code(), caller, project(path, caller), audited, subject);
    }

    private static AuditEntry entry(
            HttpRequest<?> request,
            int status,
            Caller caller,
            @Nullable UUID project,
            Optional<AnnotationValue<Audited>> audited,
            String subject) {
        return new AuditEntry(
                UUID.randomUUID(),
                caller.host(),
                project,
                audited.flatMap(annotation -> annotation.stringValue("source")).orElse("request"),
                audited.flatMap(annotation -> annotation.stringValue("action")).orElse("refuse"),
                subject,
                caller.user(),
                caller.key().prefix(),
                Correlation.of(request).orElse(null),
                Instant.now(),
                isSuccess(status),
                problem(status),
                AuditComment.find(request).orElse(null));
    }

    private boolean isRecorded(boolean audited, int status, Caller caller) {
        return (audited || isForbidden(status)) && (isSuccess(status) || failures.add(caller.user()) <= MAX_FAILURES);
    }

    private static @Nullable String problem(int status) {
        if (isForbidden(status)) {
            return "They may not do this.";
        }
        return isSuccess(status) ? null : "It was answered with " + status + ".";
    }

    private static boolean isForbidden(int status) {
        return status == HttpStatus.FORBIDDEN.getCode();
    }

    private static boolean isSuccess(int status) {
        return status < HttpStatus.BAD_REQUEST.getCode();
    }

    /** The subject that the path names besides the project, otherwise that of the response; by default the caller. */
    private static String subject(Map<String, Object> path, HttpResponse<?> response, Caller caller) {
        String subject = path.entrySet().stream()
                .filter(variable -> !variable.getKey().equals("project"))
                .map(variable -> variable.getValue().toString())
                .collect(Collectors.joining("/"));
        return subject.isEmpty()
                ? response.getAttribute(Audited.SUBJECT, String.class).orElse(caller.user())
                : subject;
    }

    /** The project of the path; session paths without one are in the default project. */
    private static @Nullable UUID project(Map<String, Object> path, Caller caller) {
        Object project = path.containsKey("key")
                ? path.getOrDefault("project", AccessDirectory.defaultProject(caller.host()))
                : path.get("project");
        try {
            return project == null ? null : RecordKey.projectId(project.toString());
        } catch (IllegalArgumentException e) {
            return null; // not a valid id
        }
    }
}
