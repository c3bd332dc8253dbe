package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.mcp.RpcMessage.Notification;
import dev.parley.mcp.RpcMessage.Request;
import dev.parley.mcp.RpcMessage.UnreadableException;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.api.Api;
import dev.parley.platform.api.OwnApi;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Correlation;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The MCP endpoint: one message per request. It is stateless, so that any instance answers any request. */
@Hidden
@Controller("/mcp")
@ExecuteOn(TaskExecutors.BLOCKING)
class McpController {
    private static final Logger LOG = LoggerFactory.getLogger(McpController.class);
    private static final Pattern TRACE = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final int TOO_LARGE = 413;

    private static final int MAX_CALLS = 512;
    private static final int MAX_CALLS_OF_USER = 64;

    private final OwnApi api;
    private final McpServer server;
    private final CallLimits limits = new CallLimits(MAX_CALLS, MAX_CALLS_OF_USER);

    McpController(OwnApi api) {
        this.api = api;
        this.server = new McpServer(api.roles(), version());
    }

    private static String version() {
        String version = McpController.class.getPackage().getImplementationVersion();
        return version == null ? "0" : version;
    }

    /** Handles a message. */
    @MaxBody(BodySize.DEFINITION)
    @Post
    @Authenticated
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM})
    HttpResponse<?> message(HttpRequest<?> http, @Body byte[] body, Caller caller) throws InterruptedException {
        RpcMessage message;
        try {
            message = read(body);
        } catch (UnreadableException e) {
            return errorResponse(e.id(), e.error());
        }
        return switch (message) {
            case Notification _ -> acknowledge(http);
            case Request request -> answer(http, request, caller);
        };
    }

    private static RpcMessage read(byte[] body) throws UnreadableException {
        if (body.length > RpcMessage.MAX_BYTES) {
            throw new ApiException(HttpStatus.valueOf(TOO_LARGE), "too_large", "A message has at most 4 MiB.");
        }
        return RpcMessage.read(body);
    }

    /** Acknowledges a notification, which has no effect. */
    private static HttpResponse<?> acknowledge(HttpRequest<?> http) {
        try {
            McpVersion.legacy(RequestHeaders.of(http).version());
            return HttpResponse.accepted();
        } catch (McpException e) {
            return errorResponse(null, e);
        }
    }

    private HttpResponse<?> answer(HttpRequest<?> http, Request request, Caller caller) throws InterruptedException {
        try {
            Exchange exchange = exchange(http, request, caller);
            return isStreamed(http, request)
                    ? new EventStream(sink -> stream(exchange, sink)).response()
                    : json(HttpStatus.OK.getCode(), result(exchange, Progress.NONE));
        } catch (McpException e) {
            return errorResponse(request.id(), e);
        }
    }

    private static Exchange exchange(HttpRequest<?> http, Request request, Caller caller) {
        return new Exchange(
                request,
                McpVersion.of(request, RequestHeaders.of(http)),
                identity(http, request),
                caller.user(),
                project(caller),
                caller.key().opens(Capability.MCP_ANSWER));
    }

    /** A request with its caller. */
    private record Exchange(
            Request request, McpVersion version, Api.Identity identity, String user, String project, boolean answers) {}

    private ObjectNode result(Exchange exchange, Progress progress) throws InterruptedException {
        try (var _ = limits.acquire(exchange.user())) {
            var context = new McpServer.Context(
                    api.of(exchange.identity()), exchange.user(), exchange.project(), exchange.answers(), progress);
            return exchange.request().answer(server.answer(exchange.request(), exchange.version(), context));
        } catch (McpException | InterruptedException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.atError()
                    .setCause(e)
                    .addKeyValue("method", exchange.request().method())
                    .log("request could not be answered");
            throw McpException.internal("The request could not be answered; see the server log.");
        }
    }

    private void stream(Exchange exchange, EventStream.Sink sink) throws InterruptedException {
        JsonNode token = exchange.request().meta().get("progressToken");
        ObjectNode last;
        try {
            last = result(exchange, token == null ? Progress.NONE : progress(token, sink));
        } catch (McpException e) {
            last = e.json(exchange.request().id());
        }
        sink.event("message", null, McpJson.bytes(last));
    }

    private static Progress progress(JsonNode token, EventStream.Sink sink) {
        return new Progress() {
            private int count;

            @Override
            public void report(String message) throws InterruptedException {
                count++;
                ObjectNode json =
                        McpJson.object().put("jsonrpc", RpcMessage.VERSION).put("method", "notifications/progress");
                ObjectNode params = json.putObject("params");
                params.set("progressToken", token);
                params.put("progress", count).put("message", message);
                sink.event("message", null, McpJson.bytes(json));
            }
        };
    }

    /**
     * Whether the response is a stream: for tool calls with a progress token, and for clients that accept
     * streams only.
     */
    private static boolean isStreamed(HttpRequest<?> http, Request request) {
        JsonNode token = request.meta().get("progressToken");
        boolean wantsProgress = RpcMessage.isId(token) || token != null && token.isNumber();
        boolean acceptsStreams = accepts(http, MediaType.TEXT_EVENT_STREAM_TYPE);
        boolean acceptsJson = http.accept().isEmpty()
                || accepts(http, MediaType.APPLICATION_JSON_TYPE)
                || accepts(http, MediaType.ALL_TYPE);
        return acceptsStreams
                && (!acceptsJson || wantsProgress && request.method().equals("tools/call"));
    }

    private static boolean accepts(HttpRequest<?> http, MediaType type) {
        return http.accept().stream().anyMatch(accepted -> accepted.getName().equals(type.getName()));
    }

    private static Api.Identity identity(HttpRequest<?> http, Request request) {
        String key = http.getHeaders().get(HttpHeaders.AUTHORIZATION);
        if (key == null) { // the session cookie of the console does not authenticate MCP
            throw new ApiException(
                    HttpStatus.UNAUTHORIZED,
                    "unauthorized",
                    "This needs a key: send the header Authorization: Bearer KEY.");
        }
        String trace = http.getHeaders().get("traceparent");
        String traceparent = trace == null ? request.meta().path("traceparent").textValue() : trace;
        return new Api.Identity(
                key,
                Correlation.of(http).orElse(null),
                traceparent != null && TRACE.matcher(traceparent).matches() ? traceparent : null);
    }

    private static String project(Caller caller) {
        return caller.key().project() == null
                ? AccessDirectory.defaultProject(caller.host())
                : RecordKey.projectKey(caller.key().project());
    }

    /** Refused: the server sends no messages of its own. */
    @Get
    @Public
    HttpResponse<?> listen() {
        return notAllowed();
    }

    /** Refused: there are no protocol sessions to end. */
    @Delete
    @Public
    HttpResponse<?> end() {
        return notAllowed();
    }

    private static HttpResponse<?> notAllowed() {
        return HttpResponse.status(HttpStatus.METHOD_NOT_ALLOWED)
                .header(HttpHeaders.ALLOW, "POST")
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .body(McpJson.bytes(McpException.invalidRequest("Send each message with POST.")
                        .json(null)));
    }

    private static HttpResponse<?> errorResponse(@Nullable JsonNode id, McpException e) {
        MutableHttpResponse<byte[]> answer = json(e.status(), e.json(id));
        return e.status() == HttpStatus.TOO_MANY_REQUESTS.getCode()
                ? answer.header(HttpHeaders.RETRY_AFTER, "1")
                : answer;
    }

    private static MutableHttpResponse<byte[]> json(int status, ObjectNode body) {
        return HttpResponse.<byte[]>status(HttpStatus.valueOf(status))
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .body(McpJson.bytes(body));
    }
}
