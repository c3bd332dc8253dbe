package dev.parley.workflows.api;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Route that receives CloudEvents for listening processes. */
@Controller("/v1/events")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Events", description = "CloudEvents for processes.")
class WorkflowEventController {
    private static final int MAX_EVENTS = 100;
    private static final String BATCH = "application/cloudevents-batch+json";
    private static final String STRUCTURED = "application/cloudevents+json";

    private final EventService service;

    WorkflowEventController(EventService service) {
        this.service = service;
    }

    /**
     * Publish events. CloudEvents 1.0 in the HTTP binding: structured, a batch of at most 100, or binary with ce-
     * headers. Repeated events with the same source and id within a week count once.
     *
     * @param project Key of the project. Defaults to the default project.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post
    @Authenticated
    @Consumes("*/*")
    @Operation(operationId = "publishEvents")
    @ApiResponse(responseCode = "202", description = "The events were accepted: {accepted}, the number of events.")
    @ApiResponse(responseCode = "400", description = "An event is not a valid CloudEvent; no event was published.")
    HttpResponse<String> publish(
            @Nullable @QueryValue String project, @Body String body, HttpRequest<?> request, Caller caller) {
        Project in = service.requirePublisher(caller, project); // before anything of the body is read
        List<Json> events = events(body, request);
        service.publish(caller, in, events);
        return HttpResponse.accepted()
                .body(Json.of("accepted", Json.of(events.size())).toString());
    }

    private static List<Json> events(String body, HttpRequest<?> request) {
        String type = request.getHeaders().get("Content-Type");
        String media = type == null ? "" : type.toLowerCase(Locale.ROOT);
        if (media.startsWith(BATCH)) {
            Json batch = ProcessService.json(body);
            if (!(batch instanceof Json.Arr)
                    || batch.list().isEmpty()
                    || batch.list().size() > MAX_EVENTS) {
                throw ApiException.badRequest("invalid_event", "A batch is an array of 1 to " + MAX_EVENTS + " events");
            }
            return batch.list();
        }
        if (media.startsWith(STRUCTURED) || request.getHeaders().get("ce-id") == null) {
            return List.of(ProcessService.json(body));
        }
        return List.of(binary(body, media, request));
    }

    private static Json binary(String body, String media, HttpRequest<?> request) {
        Json event = Values.EMPTY_OBJECT;
        for (Map.Entry<String, List<String>> header : request.getHeaders()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.startsWith("ce-")) {
                event = event.with(name.substring(3), Json.of(header.getValue().getFirst()));
            }
        }
        if (!media.isEmpty()) {
            event = event.with("datacontenttype", Json.of(media));
        }
        if (body.isEmpty()) {
            return event;
        }
        boolean json = media.isEmpty() || media.contains("json");
        return event.with("data", json ? ProcessService.json(body) : Json.of(body));
    }
}
