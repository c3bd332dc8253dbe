package dev.parley.platform.worker;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.trace.Tracing;
import dev.parley.platform.trace.Tracing.Span;
import io.opentelemetry.api.trace.SpanKind;
import java.util.List;

/** Wraps each call in a child span of its turn. */
public final class TracedHandler<W> implements CallHandler<W> {
    private final CallHandler<W> handler;
    private final Tracing tracing;
    private final String spanName;

    /** @param spanName for example {@code model call} */
    public TracedHandler(CallHandler<W> handler, Tracing tracing, String spanName) {
        this.handler = handler;
        this.tracing = tracing;
        this.spanName = spanName;
    }

    @Override
    public WorkerRequest classify(W record) {
        return handler.classify(record);
    }

    @Override
    public boolean isRepeatable(W request, String key) {
        return handler.isRepeatable(request, key);
    }

    @Override
    public int weight(W request) {
        return handler.weight(request);
    }

    @Override
    public Execution begin(W request, CallContext context) {
        return new Traced(handler.begin(request, context), request, context);
    }

    private final class Traced implements Execution {
        private final Execution execution;
        private final W request;
        private final CallContext context;

        Traced(Execution execution, W request, CallContext context) {
            this.execution = execution;
            this.request = request;
            this.context = context;
        }

        @Override
        public CallResult run() throws Exception {
            Span span =
                    tracing.begin(spanName, SpanKind.CONSUMER, context.trace()).attribute("session.key", context.key());
            describe(span, request);
            try {
                CallResult result = execution.run();
                describe(span, result);
                return result;
            } catch (Exception e) {
                span.setError(e.toString());
                throw e;
            } finally {
                span.end();
            }
        }

        @Override
        public CallResult failure(ErrorCategory category, String detail) {
            return execution.failure(category, detail);
        }

        @Override
        public List<TurnDelta> unshown() {
            return execution.unshown();
        }

        @Override
        public void progress() {
            execution.progress();
        }
    }

    private static void describe(Span span, Object request) {
        if (request instanceof ModelRequest modelRequest) {
            span.attribute("session.id", modelRequest.sessionId().toString())
                    .attribute("agent", modelRequest.agent().name())
                    .attribute("step", modelRequest.step());
        } else if (request instanceof ToolRequest toolRequest) {
            span.attribute("session.id", toolRequest.sessionId().toString())
                    .attribute("agent", toolRequest.agent())
                    .attribute("step", toolRequest.step())
                    .attribute("tool", toolRequest.name());
        }
    }

    private static void describe(Span span, CallResult result) {
        span.attribute("call.id", result.callId().toString()).attribute("call.attempt", result.attempt());
        if (result instanceof ModelAnswered answer) {
            span.attribute("model", answer.model())
                    .attribute("tokens.input", answer.usage().input())
                    .attribute("tokens.output", answer.usage().output())
                    .attribute("tokens.reasoning", answer.usage().reasoning())
                    .attribute("tokens.cache_read", answer.usage().cacheRead())
                    .attribute("tokens.cache_write", answer.usage().cacheWrite());
        } else if (result instanceof ModelFailed failed) {
            span.setError(failed.category().code() + ": " + failed.detail());
        } else if (result instanceof ToolAnswered answer && answer.status() != ToolStatus.COMPLETED) {
            span.setError(answer.status().name());
        }
    }
}
