package dev.parley.server;

import com.sun.net.httpserver.HttpExchange;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** Receives spans as OTLP over HTTP, and keeps them. */
final class SpanReceiver implements AutoCloseable {
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final LocalServer server = LocalServer.serial().handle("/v1/traces", this::take);

    /** A span; attributes are strings, numbers in digits. */
    record Span(String name, String trace, String id, String parent, Map<String, String> attributes) {
        static Span of(io.opentelemetry.proto.trace.v1.Span span) {
            HexFormat hex = HexFormat.of();
            return new Span(
                    span.getName(),
                    hex.formatHex(span.getTraceId().toByteArray()),
                    hex.formatHex(span.getSpanId().toByteArray()),
                    hex.formatHex(span.getParentSpanId().toByteArray()),
                    span.getAttributesList().stream()
                            .collect(Collectors.toMap(
                                    attribute -> attribute.getKey(), attribute -> text(attribute.getValue()))));
        }

        private static String text(AnyValue value) {
            return value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue();
        }

        String attribute(String name) {
            return attributes.getOrDefault(name, "");
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream body = packed ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody();
            ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
                    .flatMap(resource -> resource.getScopeSpansList().stream())
                    .flatMap(scope -> scope.getSpansList().stream())
                    .map(Span::of)
                    .forEach(spans::add);
            exchange.sendResponseHeaders(200, -1);
        }
    }

    /** The spans of a trace received so far. */
    List<Span> trace(String id) {
        return spans.stream().filter(span -> span.trace().equals(id)).toList();
    }

    /** All spans received so far. */
    List<Span> all() {
        return List.copyOf(spans);
    }

    String url() {
        return server.url();
    }

    @Override
    public void close() {
        server.close();
    }
}
