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
 * Spans of a turn. They are connected by the W3C trace parent that commands and records carry, not by threads: a turn goes
 * through many. Without {@code OTEL_EXPORTER_OTLP_ENDPOINT} nothing is recorded and nothing is sent.
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

    /** Spans go nowhere. */
    public static Tracing none() {
        return of(OpenTelemetry.noop());
    }

    /** Spans go to this instance. */
    public static Tracing of(OpenTelemetry telemetry) {
        return new Tracing(telemetry, () -> {});
    }

    /** Spans go where the standard {@code OTEL_…} variables say; nowhere while no endpoint is set. */
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

    /** Begins a span under the given trace parent, or a new trace where that is null. End it. */
    public Span begin(String name, SpanKind kind, @Nullable String parent) {
        return begin(name, kind, parent, null);
    }

    private Span begin(String name, SpanKind kind, @Nullable String parent, @Nullable Instant start) {
        Context above = parent == null ? Context.root() : W3C.extract(Context.root(), Map.of(PARENT, parent), GETTER);
        var builder = tracer.spanBuilder(name).setParent(above).setSpanKind(kind);
        return new Span((start == null ? builder : builder.setStartTimestamp(start)).startSpan());
    }

    /**
     * A span at the border, below which all stands that it begins; it is over as soon as that is on its way.
     *
     * @return its trace parent; {@code above} where nothing is traced
     */
    public @Nullable String border(String name, @Nullable String above, Map<String, String> attributes) {
        Span span = begin(name, SpanKind.SERVER, above);
        attributes.forEach(span::attribute);
        String parent = span.traceParent();
        span.end();
        return parent == null ? above : parent;
    }

    /** Records a span whose beginning lies in the past. */
    public void record(
            String name,
            @Nullable String parent,
            Instant start,
            Map<String, String> attributes,
            @Nullable String failure) {
        Span span = begin(name, SpanKind.INTERNAL, parent, start);
        attributes.forEach(span::attribute);
        if (failure != null) {
            span.failed(failure);
        }
        span.end();
    }

    @Override
    public void close() {
        onClose.run();
    }

    /** A span that goes on. */
    public static final class Span {
        private final io.opentelemetry.api.trace.Span span;

        private Span(io.opentelemetry.api.trace.Span span) {
            this.span = span;
        }

        /** What to send along so that others' spans hang below this one; null where nothing is recorded. */
        public @Nullable String traceParent() {
            var carrier = new HashMap<String, String>();
            W3C.inject(Context.root().with(span), carrier, (map, key, value) -> {
                if (map != null) {
                    map.put(key, value);
                }
            });
            return carrier.get(PARENT);
        }

        /** Says something about the span. */
        public Span attribute(String name, String value) {
            span.setAttribute(AttributeKey.stringKey(name), value);
            return this;
        }

        /** Says a number about the span. */
        public Span attribute(String name, long value) {
            span.setAttribute(AttributeKey.longKey(name), value);
            return this;
        }

        /** It did not work. */
        public Span failed(String why) {
            span.setStatus(StatusCode.ERROR, why);
            return this;
        }

        public void end() {
            span.end();
        }
    }
}
