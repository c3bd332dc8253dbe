package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.parley.channels.a2a.A2aException.Code;
import dev.parley.channels.a2a.A2aVersion.Method;
import dev.parley.channels.a2a.TaskCalls.Call;
import dev.parley.channels.a2a.TaskCalls.Streamed;
import dev.parley.channels.protocols.EventSink;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A2A 1.0 over HTTP and JSON: one path per operation. */
@Controller("/a2a/{project}/{agent}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Consumes({MediaType.APPLICATION_JSON, RestController.JSON, MediaType.ALL})
@Produces({MediaType.APPLICATION_JSON, RestController.JSON, MediaType.TEXT_EVENT_STREAM})
@Tag(name = "A2A")
class RestController {
    /** The media type of this binding. */
    static final String JSON = "application/a2a+json";

    private static final String CANCEL = ":cancel";
    private static final String SUBSCRIBE = ":subscribe";
    private static final List<String> TEXTS = List.of("contextId", "status", "pageToken", "statusTimestampAfter");
    private static final List<String> VALUES = List.of("pageSize", "historyLength", "includeArtifacts");

    private final TaskCalls calls;

    RestController(TaskCalls calls) {
        this.calls = calls;
    }

    private interface TaskOperation {
        HttpResponse<?> on(Call call) throws InterruptedException;
    }

    /**
     * Send an A2A message. Starts a task, or answers the question of a task.
     *
     * @return The task.
     */
    @Authenticated
    @MaxBody(BodySize.FILES)
    @Post("/message:send")
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    HttpResponse<?> send(
            @PathVariable String project,
            @PathVariable String agent,
            @Body byte[] body,
            HttpRequest<?> request,
            Caller caller)
            throws InterruptedException {
        return respond(Method.SEND, project, agent, request, caller, call -> json(calls.send(call, fields(body))));
    }

    /**
     * Send an A2A message and stream the task. Starts a task, or answers the question of a task, and streams its
     * events.
     *
     * @return The stream of events.
     */
    @Authenticated
    @MaxBody(BodySize.FILES)
    @Post("/message:stream")
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    HttpResponse<?> stream(
            @PathVariable String project,
            @PathVariable String agent,
            @Body byte[] body,
            HttpRequest<?> request,
            Caller caller)
            throws InterruptedException {
        return respond(
                Method.STREAM, project, agent, request, caller, call -> events(calls.stream(call, fields(body))));
    }

    /**
     * Get a task. The state of a task; with :subscribe after the id, a stream of its events.
     *
     * @return The task, or a stream of events.
     */
    @Authenticated
    @Get("/tasks/{task}")
    HttpResponse<?> show(
            @PathVariable String project,
            @PathVariable String agent,
            @PathVariable String task,
            HttpRequest<?> request,
            Caller caller)
            throws InterruptedException {
        if (task.endsWith(SUBSCRIBE)) {
            return subscribeToTask(project, agent, task, request, caller);
        }
        return respond(
                Method.GET,
                project,
                agent,
                request,
                caller,
                call -> json(calls.show(call, task, MessageRequest.history(fields(request)))));
    }

    private HttpResponse<?> subscribeToTask(
            String project, String agent, String task, HttpRequest<?> request, Caller caller)
            throws InterruptedException {
        String id = task.substring(0, task.length() - SUBSCRIBE.length());
        return respond(Method.SUBSCRIBE, project, agent, request, caller, call -> events(calls.subscribe(call, id)));
    }

    /**
     * Cancel a task or subscribe to it. Cancels the task with :cancel after the id, or streams its events with
     * :subscribe.
     *
     * @return The task, or a stream of events.
     */
    @Authenticated
    @Post("/tasks/{task}")
    HttpResponse<?> act(
            @PathVariable String project,
            @PathVariable String agent,
            @PathVariable String task,
            HttpRequest<?> request,
            Caller caller)
            throws InterruptedException {
        if (task.endsWith(SUBSCRIBE)) {
            return subscribeToTask(project, agent, task, request, caller);
        }
        if (!task.endsWith(CANCEL)) {
            return errorResponse(TaskCalls.refusal(Method.CANCEL));
        }
        String id = task.substring(0, task.length() - CANCEL.length());
        return respond(Method.CANCEL, project, agent, request, caller, call -> json(calls.cancel(call, id)));
    }

    /**
     * List tasks. The caller's own tasks, newest first.
     *
     * @return A page of tasks.
     */
    @Authenticated
    @Get("/tasks")
    HttpResponse<?> list(
            @PathVariable String project, @PathVariable String agent, HttpRequest<?> request, Caller caller)
            throws InterruptedException {
        return respond(
                Method.LIST,
                project,
                agent,
                request,
                caller,
                call -> json(calls.list(call, TaskQuery.read(call.dialect(), fields(request)))));
    }

    /** Get the extended agent card. Always refused: an agent has only one card. */
    @Authenticated
    @Get("/extendedAgentCard")
    @ApiResponse(responseCode = "400", description = "The agent does not have an extended card.")
    HttpResponse<?> card(@PathVariable String project, @PathVariable String agent) {
        return errorResponse(TaskCalls.refusal(Method.EXTENDED_CARD));
    }

    /** Set a push notification (unsupported). Always refused: push notifications are not supported. */
    @Authenticated
    @Post("/tasks/{task}/pushNotificationConfigs")
    @ApiResponse(responseCode = "400", description = "Push notifications are not supported.")
    HttpResponse<?> push(@PathVariable String project, @PathVariable String agent, @PathVariable String task) {
        return errorResponse(TaskCalls.refusal(Method.PUSH));
    }

    /** List push notifications (unsupported). Always refused: push notifications are not supported. */
    @Authenticated
    @Get(uris = {"/tasks/{task}/pushNotificationConfigs", "/tasks/{task}/pushNotificationConfigs/{config}"})
    @ApiResponse(responseCode = "400", description = "Push notifications are not supported.")
    HttpResponse<?> pushes(
            @PathVariable String project,
            @PathVariable String agent,
            @PathVariable String task,
            @Nullable @PathVariable String config) {
        return errorResponse(TaskCalls.refusal(Method.PUSH));
    }

    /** Delete a push notification (unsupported). Always refused: push notifications are not supported. */
    @Authenticated
    @Delete("/tasks/{task}/pushNotificationConfigs/{config}")
    @ApiResponse(responseCode = "400", description = "Push notifications are not supported.")
    HttpResponse<?> pushOff(
            @PathVariable String project,
            @PathVariable String agent,
            @PathVariable String task,
            @PathVariable String config) {
        return errorResponse(TaskCalls.refusal(Method.PUSH));
    }

    private HttpResponse<?> respond(
            Method method, String project, String agent, HttpRequest<?> request, Caller caller, TaskOperation operation)
            throws InterruptedException {
        try {
            A2aVersion dialect = RpcController.dialect(request);
            if (dialect != A2aVersion.V1_0) {
                throw new A2aException(
                        Code.VERSION_NOT_SUPPORTED, "These paths are those of 1.0: name it with A2A-Version.");
            }
            return operation.on(calls.call(dialect, method, project, agent, request, caller));
        } catch (RuntimeException e) {
            return errorResponse(A2aException.of(e));
        }
    }

    /** The query parameters as the fields of a call; numbers and booleans are recognised by their form. */
    private static RequestFields fields(HttpRequest<?> request) {
        ObjectNode fields = ProtocolJson.object();
        TEXTS.forEach(name -> fields.put(name, request.getParameters().get(name)));
        VALUES.forEach(name -> fields.set(name, value(request.getParameters().get(name))));
        return RequestFields.of(fields);
    }

    private static JsonNode value(@Nullable String text) {
        if (text == null) {
            return NullNode.getInstance();
        }
        if (text.matches("[0-9]{1,9}")) {
            return IntNode.valueOf(Integer.parseInt(text));
        }
        return text.matches("true|false") ? BooleanNode.valueOf(Boolean.parseBoolean(text)) : TextNode.valueOf(text);
    }

    private static RequestFields fields(byte[] body) {
        return RequestFields.of(ProtocolJson.read(body));
    }

    private static HttpResponse<?> json(ObjectNode result) {
        return HttpResponse.ok(ProtocolJson.bytes(result)).contentType(JSON);
    }

    private static HttpResponse<?> events(Streamed streamed) {
        return new EventStream(sink -> streamed.write(EventSink.of(sink))).response();
    }

    private static HttpResponse<?> errorResponse(A2aException e) {
        return RestErrors.response(e.failure());
    }
}
