package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import io.micronaut.http.annotation.Controller;
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
import org.jspecify.annotations.Nullable;

/** A2A over JSON-RPC: each task is a turn. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "A2A")
class RpcController {
    private final TaskCalls calls;

    RpcController(TaskCalls calls) {
        this.calls = calls;
    }

    /**
     * Call an agent by A2A. JSON-RPC in version 1.0 of A2A if the header A2A-Version names it, otherwise in version
     * 0.3. A message starts a task, which is a turn of the session whose key is contextId, or answers the question of a
     * task.
     *
     * @return The response, or a stream of events.
     */
    @Authenticated
    @MaxBody(BodySize.FILES)
    @Post("/a2a/{project}/{agent}")
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM})
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "404", description = "Unknown agent.")
    @ApiResponse(responseCode = "429", description = "Too many turns were submitted, or a budget is exhausted.")
    HttpResponse<?> call(
            @PathVariable String project,
            @PathVariable String agent,
            @Body byte[] body,
            HttpRequest<?> request,
            Caller caller)
            throws InterruptedException {
        try {
            RpcRequest read = RpcRequest.read(body);
            A2aVersion dialect = dialect(request);
            Method method = read.method(dialect);
            return answer(read, method, calls.call(dialect, method, project, agent, request, caller));
        } catch (RuntimeException e) {
            return errorResponse(body, A2aException.of(e));
        }
    }

    /**
     * The requested version.
     *
     * @throws A2aException for an unknown version
     */
    static A2aVersion dialect(HttpRequest<?> request) {
        String header = request.getHeaders().get(A2aVersion.HEADER);
        return A2aVersion.of(header == null ? request.getParameters().get(A2aVersion.HEADER) : header);
    }

    private static HttpResponse<?> errorResponse(byte[] body, A2aException e) {
        @Nullable JsonNode id = RpcRequest.idOf(body);
        return RpcErrors.response(id, e.failure());
    }

    private HttpResponse<?> answer(RpcRequest request, Method method, Call call) throws InterruptedException {
        RequestFields params = request.params();
        return switch (method) {
            case SEND -> json(request, calls.send(call, params));
            case STREAM -> events(request, calls.stream(call, params));
            case GET -> json(request, calls.show(call, params.requireText("id"), MessageRequest.history(params)));
            case LIST -> json(request, calls.list(call, TaskQuery.read(call.dialect(), params)));
            case CANCEL -> json(request, calls.cancel(call, params.requireText("id")));
            case SUBSCRIBE -> events(request, calls.subscribe(call, params.requireText("id")));
            case PUSH, EXTENDED_CARD -> throw TaskCalls.refusal(method);
        };
    }

    private static HttpResponse<?> json(RpcRequest request, ObjectNode result) {
        return ProtocolJson.response(request.result(result));
    }

    private static HttpResponse<?> events(RpcRequest request, Streamed streamed) {
        return new EventStream(sink -> streamed.write(resultSink(request, EventSink.of(sink)))).response();
    }

    private static EventSink resultSink(RpcRequest request, EventSink sink) {
        return new EventSink() {
            @Override
            public void event(ObjectNode event) throws InterruptedException {
                sink.event(request.result(event));
            }

            @Override
            public void comment() throws InterruptedException {
                sink.comment();
            }
        };
    }
}
