package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.ClientToolCall;
import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.web.TurnFeed;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.http.EventStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Streams a turn as a chat completion in chunks. For one thread. */
final class CompletionStream extends TextListener {
    private static final byte[] DONE = "[DONE]".getBytes(StandardCharsets.UTF_8);

    private final AnswerText text;
    private final CompletionJson json;
    private final boolean withUsage;
    private final Function<TurnEnd, CompletionEnd> ends;
    private final EventStream.Sink sink;
    private boolean hasText;

    /**
     * @param withUsage whether the last chunk has the usage
     * @param ends what a completion ends with, at the end of its turn
     */
    CompletionStream(
            AnswerText text,
            CompletionJson json,
            boolean withUsage,
            Function<TurnEnd, CompletionEnd> ends,
            EventStream.Sink sink) {
        super(text);
        this.text = text;
        this.json = json;
        this.withUsage = withUsage;
        this.ends = ends;
        this.sink = sink;
    }

    /** Streams the turn to its end. */
    void write(TurnFeed turn) throws InterruptedException {
        send(json.firstChunk(withUsage));
        TurnEnd end = new TurnFollower(turn, TurnFollower.SILENCE).follow(TurnFollower.LONGEST, this);
        Failure failure = end.failure();
        if (failure == null) {
            finish(ends.apply(end));
        } else {
            send(ErrorJson.of(failure));
        }
    }

    @Override
    void onText(Piece piece) throws InterruptedException {
        send(json.textChunk(piece, hasText, withUsage));
        hasText = true;
    }

    @Override
    public void onSilence() throws InterruptedException {
        sink.heartbeat();
    }

    private void finish(CompletionEnd end) throws InterruptedException {
        List<ClientToolCall> calls = end.calls();
        Usage usage = end.usage();
        for (int i = 0; i < calls.size(); i++) {
            send(json.toolCallChunk(i, calls.get(i), withUsage));
        }
        send(json.finishChunk(CompletionJson.finish(calls, text.isCut()), withUsage));
        if (withUsage) {
            send(json.usageChunk(usage == null ? Usage.NONE : usage));
        }
        sink.data(DONE);
    }

    private void send(ObjectNode chunk) throws InterruptedException {
        sink.data(ProtocolJson.bytes(chunk));
    }
}
