package dev.parley.tools.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.outbound.Outbound.KeyRefusedException;
import dev.parley.platform.outbound.TextDecoder;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Failed;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.rest.Endpoints.DeniedException;
import dev.parley.tools.rest.UrlTemplate.BadValueException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Tools that call an HTTP API: {@code {"url": "https://api.example.com/users/{id}", "method": "GET"}}, or a path below
 * an endpoint of the host: {@code {"endpoint": "crm", "path": "/users/{id}"}}. Every request has the id of its call as
 * {@code Idempotency-Key}.
 */
public record RestKind(Outbound outbound, Endpoints endpoints) implements ToolKind {
    /** Maximum bytes that are read of a response. */
    static final int MAX_BYTES = 1 << 20;

    private static final int MAX_ERROR_BYTES = 2_000;
    private static final Pattern TEXT = Pattern.compile(
            "text/.*|application/(.*\\+)?(json|xml|yaml)|application/(x-)?(javascript|ndjson|yaml|www-form-urlencoded)");

    @Override
    public String name() {
        return "rest";
    }

    @Override
    public Runner runner(JsonNode implementation, CatalogueScope scope) {
        RestDefinition definition = RestDefinition.of(implementation);
        Outbound own = outbound.in(scope);
        return definition.endpoint().isEmpty()
                ? (call, arguments) -> run(own, definition, call, arguments)
                : (call, arguments) -> runBelow(definition.endpoint().get(), definition, call, arguments);
    }

    /** Runs a call below the current endpoint of the host, whose powers it has, if the turn's user may use it now. */
    private ToolOutput runBelow(String name, RestDefinition definition, ToolCallContext call, JsonNode arguments)
            throws IOException, InterruptedException {
        RestDefinition below;
        try {
            below = definition.below(endpoints.open(name, definition.method(), call));
        } catch (DeniedException e) {
            return new Failed(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            return new Failed("the endpoint '%s' cannot be used: %s".formatted(name, e.getMessage()));
        }
        return run(outbound.in(new CatalogueScope(call.host(), null)), below, call, arguments);
    }

    private static ToolOutput run(
            Outbound outbound, RestDefinition definition, ToolCallContext call, JsonNode arguments)
            throws IOException, InterruptedException {
        var sent = new AtomicBoolean();
        Request request;
        try {
            Request.Builder builder = definition
                    .request(arguments)
                    .header("Idempotency-Key", call.callId().toString())
                    .header("User-Agent", "parley")
                    .tag(AtomicBoolean.class, sent);
            if (definition.auth().isPresent()) {
                definition.auth().get().addTo(builder, builder.build().url(), outbound);
            }
            request = builder.build();
        } catch (BadValueException e) {
            return new Failed(String.valueOf(e.getMessage()));
        } catch (KeyRefusedException e) {
            return new Failed(e.why());
        }
        return send(outbound, request, call, sent);
    }

    private static ToolOutput send(Outbound outbound, Request request, ToolCallContext call, AtomicBoolean sent)
            throws IOException, InterruptedException {
        try (Response response = outbound.begin(request, call.cancellation()).execute()) {
            return output(response);
        } catch (IOException e) {
            String reason = Outbound.describeFailure(e, request.url(), call.cancellation());
            if (sent.get()) {
                throw new IOException(reason, e); // the request may have been executed
            }
            return new Failed(reason);
        }
    }

    private static ToolOutput output(Response response) throws IOException {
        MediaType type = response.body().contentType();
        String mediaType = type == null ? "" : type.type() + "/" + type.subtype();
        boolean isText = type == null || TEXT.matcher(mediaType).matches();
        if (!response.isSuccessful()) {
            return failure(response, isText ? text(response, type, MAX_ERROR_BYTES) : "");
        }
        String text = isText ? text(response, type, MAX_BYTES) : "";
        if (!isText || text.indexOf('\0') >= 0) {
            return new Failed(
                    "the answer is not text but %s".formatted(mediaType.isEmpty() ? "binary data" : mediaType));
        }
        return new ToolOutput.Text(text);
    }

    private static ToolOutput failure(Response response, String body) {
        String host = response.request().url().host();
        String note = response.isRedirect() ? " (a redirect, which is not followed)" : "";
        String reason = body.replace("\0", "").strip();
        return new Failed(
                "%s answers HTTP %d%s%s".formatted(host, response.code(), note, reason.isEmpty() ? "" : ": " + reason));
    }

    /** The first bytes of a body as text; the rest is not read. */
    private static String text(Response response, @Nullable MediaType type, int maxBytes) throws IOException {
        BufferedSource source = response.body().source();
        boolean hasMore = source.request(maxBytes + 1L);
        byte[] bytes =
                source.readByteArray(Math.min(maxBytes, source.getBuffer().size()));
        String text = TextDecoder.decode(bytes, type == null ? null : type.parameter("charset"));
        return hasMore ? text + "\n[… the rest was not read …]" : text;
    }
}
