package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.a2a.RpcException.Code;
import dev.parley.channels.a2a.TaskService.Asking;
import dev.parley.channels.a2a.TaskService.Open;
import dev.parley.channels.protocols.Agents;
import dev.parley.channels.protocols.EventSink;
import dev.parley.channels.protocols.Json;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.SignedIn;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A2A by JSON-RPC: each task is a turn. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "A2A")
class RpcController {
    /** How long who waits for a task waits at the most. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    /** Hears nothing: the answer is told as a whole. */
    private static final EventSink NOBODY = new EventSink() {
        @Override
        public void event(ObjectNode event) {}

        @Override
        public void comment() {}
    };

    private final TaskService tasks;
    private final Agents agents;

    RpcController(TaskService tasks, Agents agents) {
        this.tasks = tasks;
        this.agents = agents;
    }

    /** A call with who makes it. */
    private record Call(RpcRequest request, Dialect dialect, Asking asking) {
        TaskJson json() {
            return new TaskJson(dialect);
        }

        String task() {
            return request.params().required("id");
        }
    }

    /** Calls an agent. */
    @SignedIn
    @Post("/a2a/{project}/{agent}")
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM})
    @Operation(
            summary = "Call an agent by A2A",
            description =
                    "JSON-RPC in A2A's version 1.0 where the header A2A-Version names it, else in 0.3. A message begins a task, which is a"
                            + " turn of the session that its context is, or answers what one asks.")
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "200", description = "The answer, or the stream of events.")
    @ApiResponse(responseCode = "404", description = "There is no such agent.")
    @ApiResponse(responseCode = "429", description = "Too many turns came in, or a budget is used up.")
    HttpResponse<?> call(
            @PathVariable String project,
            @PathVariable String agent,
            @Body byte[] body,
            HttpRequest<?> request,
            @Parameter(hidden = true) Caller caller)
            throws InterruptedException {
        try {
            RpcRequest read = RpcRequest.read(body);
            Dialect dialect = Dialect.of(version(request));
            return answer(read, dialect, asking(read.method(dialect), project, agent, request, caller));
        } catch (RpcException e) {
            return refused(body, e);
        } catch (ProtocolException e) {
            return refused(body, RpcException.of(e));
        } catch (ApiException e) {
            return refused(body, RpcException.of(e));
        }
    }

    private static @Nullable String version(HttpRequest<?> request) {
        String header = request.getHeaders().get(Dialect.HEADER);
        return header == null ? request.getParameters().get(Dialect.HEADER) : header;
    }

    private static HttpResponse<?> refused(byte[] body, RpcException e) {
        @Nullable JsonNode id = RpcRequest.idOf(body);
        return RpcErrors.response(id, e.failure());
    }

    private Asking asking(Dialect.Method method, String project, String agent, HttpRequest<?> request, Caller caller) {
        Capability needed = switch (method) {
            case SEND, STREAM, CANCEL -> Capability.SESSION_SEND;
            case GET, SUBSCRIBE, LIST, PUSH, EXTENDED_CARD -> Capability.SESSION_READ;
        };
        Project where = caller.require(needed, project);
        if (agents.find(caller, where, agent).isEmpty()) {
            throw CardController.unknown(agent);
        }
        return new Asking(caller, where, agent, request.getHeaders().get("traceparent"));
    }

    private HttpResponse<?> answer(RpcRequest request, Dialect dialect, Asking asking) throws InterruptedException {
        var call = new Call(request, dialect, asking);
        return switch (request.method(dialect)) {
            case SEND -> send(call);
            case STREAM -> stream(call);
            case GET -> show(call);
            case CANCEL -> json(call, call.json().task(tasks.cancel(asking, call.task()), true));
            case SUBSCRIBE -> subscribe(call);
            case PUSH -> throw MessageRequest.noPush();
            case LIST ->
                throw new RpcException(
                        Code.UNSUPPORTED_OPERATION,
                        "Tasks are not listed here: GET /v1/sessions/{contextId}/turns has those of a context.");
            case EXTENDED_CARD ->
                throw new RpcException(Code.UNSUPPORTED_OPERATION, "The card that everybody sees is all of it.");
        };
    }

    private HttpResponse<?> send(Call call) throws InterruptedException {
        MessageRequest message =
                MessageRequest.read(call.dialect(), call.request().params());
        try (Open open = tasks.send(call.asking(), message)) {
            if (message.waits()) {
                var stream = new TaskStream(open.task(), call.json(), true, NOBODY);
                stream.follow(LONGEST_WAIT, LONGEST_WAIT);
            }
            TaskView task = open.task().view(Duration.ZERO);
            return json(call, call.json().wrappedTask(task, message.history()));
        }
    }

    private HttpResponse<?> stream(Call call) throws InterruptedException {
        MessageRequest message =
                MessageRequest.read(call.dialect(), call.request().params());
        return stream(call, tasks.send(call.asking(), message), true, message.history());
    }

    private HttpResponse<?> show(Call call) throws InterruptedException {
        boolean history = MessageRequest.history(call.request().params());
        try (Open open = tasks.find(call.asking(), call.task())) {
            return json(call, call.json().task(open.task().view(Duration.ZERO), history));
        }
    }

    private HttpResponse<?> subscribe(Call call) throws InterruptedException {
        Open open = tasks.find(call.asking(), call.task());
        if (open.task().view(Duration.ZERO).state().isLast()) {
            open.close();
            throw new RpcException(
                    Code.UNSUPPORTED_OPERATION, "The task has ended: it is to be asked for, not to be subscribed to.");
        }
        return stream(call, open, false, true);
    }

    private static HttpResponse<?> stream(Call call, Open opened, boolean stopsAtQuestions, boolean history)
            throws InterruptedException {
        TaskView first = opened.task().view(Duration.ZERO);
        return new EventStream(sink -> {
                    try (Open open = opened) {
                        new TaskStream(open.task(), call.json(), stopsAtQuestions, enveloped(call, EventSink.of(sink)))
                                .write(first, history, TurnFollower.SILENCE);
                    }
                })
                .response();
    }

    private static EventSink enveloped(Call call, EventSink sink) {
        return new EventSink() {
            @Override
            public void event(ObjectNode event) throws InterruptedException {
                sink.event(call.request().result(event));
            }

            @Override
            public void comment() throws InterruptedException {
                sink.comment();
            }
        };
    }

    private static HttpResponse<?> json(Call call, ObjectNode result) {
        return HttpResponse.ok(Json.bytes(call.request().result(result))).contentType(MediaType.APPLICATION_JSON_TYPE);
    }
}
