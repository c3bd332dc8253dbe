package dev.parley.tools;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Patch;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.CallHandler.Execution;
import dev.parley.platform.worker.Cancellation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The execution of one tool call: it validates the arguments, consults the ledger for tools that must not run twice,
 * runs the tool and bounds the result.
 */
final class ToolExecution implements Execution {
    private static final Logger LOG = LoggerFactory.getLogger(ToolExecution.class);
    private static final Duration LEDGER_RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration MIN_RETRY_DELAY = Duration.ofMillis(100);

    private final ToolRequest request;
    private final ToolRegistry tools;
    private final @Nullable ToolLedger ledger;
    private final BlobStore blobs;
    private final CallContext context;
    private final int maxResultBytes;
    /** True once the effect may have started. */
    private volatile boolean begun;

    /** The result of running the tool. */
    private record Result(ToolStatus status, String content, List<Block.File> files, List<Patch> patches) {
        Result(ToolStatus status, String content, List<Block.File> files) {
            this(status, content, files, List.of());
        }

        Result(ToolStatus status, String content) {
            this(status, content, List.of(), List.of());
        }
    }

    ToolExecution(
            ToolRequest request,
            ToolRegistry tools,
            @Nullable ToolLedger ledger,
            BlobStore blobs,
            CallContext context) {
        this(request, tools, ledger, blobs, context, Outputs.MAX_BYTES);
    }

    ToolExecution(
            ToolRequest request,
            ToolRegistry tools,
            @Nullable ToolLedger ledger,
            BlobStore blobs,
            CallContext context,
            int maxResultBytes) {
        this.maxResultBytes = maxResultBytes;
        this.request = request;
        this.tools = tools;
        this.ledger = ledger;
        this.blobs = blobs;
        this.context = context;
    }

    @Override
    public CallResult run() throws InterruptedException {
        Optional<ToolRegistry.Entry> found;
        try {
            found = tools.find(request, RecordKey.parse(context.key()));
        } catch (IllegalArgumentException e) {
            return toolAnswered(error("the tool '" + request.name() + "' cannot be used: " + e.getMessage()));
        }
        if (found.isEmpty()) {
            return toolAnswered(error(unavailable()));
        }
        try {
            JsonNode arguments = found.get().check().read(request.arguments());
            return ledger == null || found.get().spec().effect() == ToolEffect.IDEMPOTENT
                    ? toolAnswered(runWithoutLedger(found.get().tool(), arguments))
                    : runWithLedger(found.get(), arguments, ledger);
        } catch (ArgumentCheck.BadArguments e) {
            return toolAnswered(error(e.why()));
        }
    }

    private String unavailable() {
        return request.version().isEmpty()
                ? "there is no tool '" + request.name() + "' here"
                : "the tool '" + request.name() + "' or its endpoint is disabled, or was deleted";
    }

    /** For repeatable tools, and where there is no ledger. */
    private Result runWithoutLedger(Tool tool, JsonNode arguments) throws InterruptedException {
        try {
            return result(tool.run(call(), arguments));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throwIfCancelled(e);
            LOG.atWarn()
                    .addKeyValue("call", request.callId())
                    .addKeyValue("tool", request.name())
                    .setCause(e)
                    .log("tool failed");
            return error(reason(e));
        }
    }

    private CallResult runWithLedger(ToolRegistry.Entry entry, JsonNode arguments, ToolLedger rows)
            throws InterruptedException {
        try {
            return switch (rows.begin(
                    request, RecordKey.parse(context.key()), entry.spec().effect())) {
                case ToolLedger.Entry.Run _ -> end(rows, attempt(entry, arguments));
                case ToolLedger.Entry.TakenOver _ -> end(rows, takeOver(entry, arguments));
                case ToolLedger.Entry.Recorded recorded ->
                    toolAnswered(new Result(recorded.status(), recorded.result(), recorded.files()));
                case ToolLedger.Entry.Held held -> retryAfter(held.remaining(), "another worker holds the call");
            };
        } catch (FailedException e) {
            throwIfCancelled(e);
            LOG.atWarn().addKeyValue("call", request.callId()).setCause(e).log("tool ledger is not available");
            return retryAfter(LEDGER_RETRY_DELAY, "tool ledger is not available");
        }
    }

    private Result takeOver(ToolRegistry.Entry entry, JsonNode arguments) {
        return switch (reconcile(entry, arguments)) {
            case Reconciliation.Happened happened -> result(happened.output());
            case Reconciliation.DidNotHappen _ -> attempt(entry, arguments);
            case Reconciliation.Unknown _ -> unknown("the worker that had the call is gone");
        };
    }

    private Reconciliation reconcile(ToolRegistry.Entry entry, JsonNode arguments) {
        if (entry.spec().effect() != ToolEffect.RECONCILABLE) {
            return new Reconciliation.Unknown();
        }
        try {
            return entry.tool().reconcile(request.callId(), arguments);
        } catch (Exception e) {
            LOG.atWarn()
                    .addKeyValue("call", request.callId())
                    .addKeyValue("tool", request.name())
                    .setCause(e)
                    .log("reconciliation of a tool call failed");
            return new Reconciliation.Unknown();
        }
    }

    /** Runs the tool. After an exception or an interrupt it is unknown whether the effect happened. */
    private Result attempt(ToolRegistry.Entry entry, JsonNode arguments) {
        begun = true;
        try {
            return result(entry.tool().run(call(), arguments));
        } catch (Exception e) {
            Thread.interrupted(); // the call returns a result instead; the cancellation has the reason
            String reason =
                    context.cancellation().reason().map(ToolExecution::reason).orElseGet(() -> reason(e));
            LOG.atWarn()
                    .addKeyValue("call", request.callId())
                    .addKeyValue("tool", request.name())
                    .setCause(e)
                    .log("outcome of a tool call is unknown");
            return switch (reconcile(entry, arguments)) {
                case Reconciliation.Happened happened -> result(happened.output());
                case Reconciliation.DidNotHappen _ -> error(reason);
                case Reconciliation.Unknown _ -> unknown(reason);
            };
        }
    }

    /** Records the result and returns it, also if recording fails: then it is the only trace. */
    private CallResult end(ToolLedger rows, Result result) {
        try {
            if (!rows.end(request, result.status(), result.content(), result.files())) {
                LOG.atWarn().addKeyValue("call", request.callId()).log("another worker has taken over the call");
            }
        } catch (FailedException e) {
            LOG.atError()
                    .addKeyValue("call", request.callId())
                    .setCause(e)
                    .log("result of a tool call was not recorded");
        }
        return toolAnswered(result);
    }

    @Override
    public void progress() {
        if (begun && ledger != null) {
            try {
                ledger.renewLease(request);
            } catch (FailedException e) {
                LOG.atWarn()
                        .addKeyValue("call", request.callId())
                        .setCause(e)
                        .log("heartbeat of a tool call was not recorded");
            }
        }
    }

    @Override
    public CallResult failure(ErrorCategory category, String detail) {
        String reason = category == ErrorCategory.TIMEOUT ? "the tool did not answer in time" : detail;
        return toolAnswered(begun ? unknown(reason) : error(reason));
    }

    private ToolCallContext call() {
        return new ToolCallContext(
                request.callId(),
                request.host(),
                RecordKey.parse(context.key()),
                request.sessionId(),
                request.turnId(),
                request.top() == null ? request.turnId() : request.top(),
                request.step(),
                request.attempt(),
                request.agent(),
                request.user(),
                request.deadline(),
                request.banks(),
                request.reader(),
                context.cancellation());
    }

    private void throwIfCancelled(Exception e) throws InterruptedException {
        if (context.cancellation().requested()) {
            throw new InterruptedException(e.getMessage());
        }
    }

    private CallResult retryAfter(Duration wait, String reason) {
        return new RetryAfter(
                request.callId(),
                request.attempt(),
                wait.compareTo(MIN_RETRY_DELAY) < 0 ? MIN_RETRY_DELAY : wait,
                reason);
    }

    private CallResult toolAnswered(Result result) {
        return new ToolAnswered(
                request.callId(),
                request.attempt(),
                result.status(),
                result.content(),
                result.files(),
                result.patches());
    }

    private Result result(ToolOutput output) {
        return switch (output) {
            case ToolOutput.Text text
            when Outputs.isBinary(text.text()) -> error("the tool returned binary data, which cannot be shown here");
            case ToolOutput.Text text ->
                new Result(
                        ToolStatus.COMPLETED,
                        Outputs.truncateMiddle(text.text(), maxResultBytes),
                        List.of(),
                        text.patches());
            case ToolOutput.Failed failed -> error(failed.why());
            case ToolOutput.Files files -> filesResult(files);
        };
    }

    private Result filesResult(ToolOutput.Files output) {
        SentFiles sent = SentFiles.of(output.files(), blobs);
        String notes = String.join("\n", sent.notes());
        String text = output.text().replace("\0", "");
        if (text.isBlank() && sent.stored().isEmpty()) {
            return error(notes.isEmpty() ? "the tool returned nothing" : notes);
        }
        String textWithNotes = text.isBlank() ? notes : notes.isEmpty() ? text : text + "\n" + notes;
        return new Result(ToolStatus.COMPLETED, Outputs.truncateMiddle(textWithNotes), sent.stored());
    }

    private static Result error(String reason) {
        return new Result(ToolStatus.ERROR, Outputs.truncateMiddle("error: " + reason.replace("\0", "")));
    }

    private static Result unknown(String reason) {
        return new Result(
                ToolStatus.UNKNOWN,
                Outputs.truncateMiddle("error: outcome unknown: " + reason.replace("\0", "")
                        + "; it may or may not have happened, do not simply repeat it"));
    }

    private static String reason(Exception e) {
        String message = e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    }

    private static String reason(Cancellation.Reason reason) {
        return switch (reason) {
            case CANCELLED -> "cancelled";
            case DEADLINE -> "the tool did not answer in time";
            case SHUTDOWN -> "the worker stopped";
        };
    }
}
