package dev.parley.platform.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Spans of turns, connected by the W3C trace parent in commands and records, since a turn runs on many threads. Without
 * {@code OTEL_EXPORTER_OTLP_ENDPOINT} nothing is recorded or sent.
 */
public final class Tracing implements AutoCloseable {
    private static final String PARENT = "traceparent";
    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();
    private static final TextMapGetter<Map<String, String>> GETTER =
            (carrier, key) -> carrier == null ? null : carrier.get(key);

    private final Tracer tracer;
    private final Runnable onClose;

    private Tracing(OpenTelemetry telemetry, Runnable onClose) {
        this.tracer = telemetry.getTracer("parley");
        this.onClose = onClose;
    }

    /** Tracing that discards spans. */
    public static Tracing none() {
        return of(OpenTelemetry.noop());
    }

    /** Tracing with an OpenTelemetry instance. */
    public static Tracing of(OpenTelemetry telemetry) {
        return new Tracing(telemetry, () -> {});
    }

    /** Tracing configured by the standard {@code OTEL_…} variables; without an endpoint spans are discarded. */
    public static Tracing fromEnvironment(Map<String, String> environment) {
        if (environment.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "").isBlank()) {
            return of(OpenTelemetry.noop());
        }
        var sdk = AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .addPropertiesSupplier(() -> Map.of(
                        "otel.service.name",
                        "parley",
                        "otel.metrics.exporter",
                        "none",
                        "otel.logs.exporter",
                        "none",
                        "otel.exporter.otlp.protocol",
                        "http/protobuf"))
                .build()
                .getOpenTelemetrySdk();
        return new Tracing(sdk, sdk::close);
    }

    /** Starts a span below a trace parent, or a new trace for null. The caller ends it. */
    public Span begin(String name, SpanKind kind, @Nullable String parent) {
        return begin(name, kind, parent, null);
    }

    private Span begin(String name, SpanKind kind, @Nullable String parent, @Nullable Instant start) {
        Context parentContext =
                parent == null ? Context.root() : W3C.extract(Context.root(), Map.of(PARENT, parent), GETTER);
        var builder = tracer.spanBuilder(name).setParent(parentContext).setSpanKind(kind);
        return new Span((start == null ? builder : builder.setStartTimestamp(start)).startSpan());
    }

    /**
     * Records the server span of a request at the edge, the parent of all spans of its turn. The span ends immediately.
     *
     * @return its trace parent; {@code remoteParent} if nothing is recorded
     */
    public @Nullable String border(String name, @Nullable String remoteParent, Map<String, String> attributes) {
        Span span = begin(name, SpanKind.SERVER, remoteParent);
        attributes.forEach(span::attribute);
        String parent = span.traceParent();
        span.end();
        return parent == null ? remoteParent : parent;
    }

    /** Records a span that started in the past. */
    public void record(
            String name,
            @Nullable String parent,
            Instant start,
            Map<String, String> attributes,
            @Nullable String failure) {
        Span span = begin(name, SpanKind.INTERNAL, parent, start);
        attributes.forEach(span::attribute);
        if (failure != null) {
            span.setError(failure);
        }
        span.end();
    }

    @Override
    public void close() {
        onClose.run();
    }

    /** An open span. */
    public static final class Span {
        private final io.opentelemetry.api.trace.Span span;

        private Span(io.opentelemetry.api.trace.Span span) {
            this.span = span;
        }

        /** The trace parent for child spans; null if nothing is recorded. */
        public @Nullable String traceParent() {
            var carrier = new HashMap<String, String>();
            W3C.inject(Context.root().with(span), carrier, (map, key, value) -> {
                if (map != null) {
                    map.put(key, value);
                }
            });
            return carrier.get(PARENT);
        }

        /** Sets an attribute. */
        public Span attribute(String name, String value) {
            span.setAttribute(AttributeKey.stringKey(name), value);
            return this;
        }

        /** Sets a numeric attribute. */
        public Span attribute(String name, long value) {
            span.setAttribute(AttributeKey.longKey(name), value);
            return this;
        }

        /** Sets the status to an error. */
        public Span setError(String reason) {
            span.setStatus(StatusCode.ERROR, reason);
            return this;
        }

        public void end() {
            span.end();
        }
    }
}
