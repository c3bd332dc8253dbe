package dev.parley.channels.hooks;

import dev.parley.channels.hooks.EventTail.Placed;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.kafka.KafkaClients;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** All events of a project as one stream, the same that webhooks receive. */
@Controller("/v1/projects/{project}/events")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(beans = ParleyConfig.class)
@Tag(name = "Webhooks")
class ProjectEventController {
    /** Each stream has a consumer of both topics. */
    private static final int MAX_STREAMS = 32;

    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** After that the client reconnects, and its rights are checked again. */
    private static final Duration LIFE = Duration.ofMinutes(10);

    private final KafkaClients clients;
    private final Semaphore free = new Semaphore(MAX_STREAMS);

    ProjectEventController(KafkaClients clients) {
        this.clients = clients;
    }

    /**
     * Stream a project's events. Streams the events that webhooks receive, by type, from now on or after Last-Event-ID,
     * each at least once. The event 'missed' reports that older events were deleted. The stream ends after ten minutes;
     * the same request with the last id resumes it.
     *
     * @param events Event types, separated by commas. Defaults to all.
     * @param lastEventIdHeader Id of the last event that the client received.
     * @param lastEventId Same as the header Last-Event-ID, for clients that cannot send it.
     * @return The stream of events: {type, timestamp, data}.
     */
    @Get
    @RequiresCapability(Capability.SESSION_READ_ALL)
    @Produces(MediaType.TEXT_EVENT_STREAM)
    @Operation(operationId = "watchProject")
    @ApiResponse(responseCode = "429", description = "Too many streams are open on this instance.")
    HttpResponse<Publisher<byte[]>> watch(
            @PathVariable String project,
            @Nullable @QueryValue String events,
            @Nullable @Header("Last-Event-ID") String lastEventIdHeader,
            @Nullable @QueryValue String lastEventId,
            Caller caller) {
        Project in = caller.require(Capability.SESSION_READ_ALL, project);
        Set<String> types = types(events);
        EventTail tail = open(position(lastEventIdHeader == null ? lastEventId : lastEventIdHeader));
        return new EventStream(sink -> {
                    try {
                        follow(
                                tail,
                                event -> event.host().equals(in.host())
                                        && event.project().equals(in.project())
                                        && types.contains(event.type()),
                                sink);
                    } finally {
                        close(tail);
                    }
                })
                .ifUnread(() -> close(tail))
                .response();
    }

    private void close(EventTail tail) {
        try {
            tail.close();
        } finally {
            free.release();
        }
    }

    private static Set<String> types(@Nullable String events) {
        Set<String> types = new HashSet<>(events == null ? HookEvent.TYPES : Arrays.asList(events.split(",", -1)));
        if (!HookEvent.TYPES.containsAll(types)) {
            throw ApiException.badRequest(
                    "invalid_events", "'events' may contain " + String.join(", ", HookEvent.TYPES));
        }
        return types;
    }

    private static ApiException unknownPosition() {
        return ApiException.badRequest("invalid_event_id", "This is not the id of a project event");
    }

    private static @Nullable TailPosition position(@Nullable String id) {
        return id == null || id.isBlank()
                ? null
                : TailPosition.parse(id.strip()).orElseThrow(ProjectEventController::unknownPosition);
    }

    private EventTail open(@Nullable TailPosition from) {
        if (!free.tryAcquire()) {
            throw new ApiException(
                    HttpStatus.TOO_MANY_REQUESTS,
                    "too_many",
                    "At most " + MAX_STREAMS + " event streams of projects are open at once on an instance");
        }
        try {
            return new EventTail(clients, from);
        } catch (IllegalArgumentException e) {
            free.release();
            throw unknownPosition();
        } catch (RuntimeException e) {
            free.release();
            throw e;
        }
    }

    private static void follow(EventTail tail, Predicate<HookEvent> filter, EventStream.Sink sink)
            throws InterruptedException {
        long start = System.nanoTime();
        long lastSent = start;
        sink.event(
                tail.hasMissed() ? "missed" : "open",
                tail.position().toString(),
                "{}".getBytes(StandardCharsets.UTF_8));
        while (System.nanoTime() - start < LIFE.toNanos()) {
            List<Placed> found = read(tail, filter);
            for (Placed placed : found) {
                sink.event(
                        placed.event().type(),
                        placed.position().toString(),
                        placed.event().body().getBytes(StandardCharsets.UTF_8));
            }
            long now = System.nanoTime();
            if (found.isEmpty() && now - lastSent >= HEARTBEAT.toNanos()) {
                sink.heartbeat();
                lastSent = now;
            }
        }
    }

    private static List<Placed> read(EventTail tail, Predicate<HookEvent> filter) throws InterruptedException {
        try {
            return tail.next(HEARTBEAT, filter);
        } catch (InterruptException e) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        }
    }
}
