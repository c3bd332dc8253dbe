package dev.parley.agents.model;

import dev.parley.agents.model.Transcriber.Transcription;
import dev.parley.agents.model.wire.RawLog;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import dev.parley.language.text.Clip;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.worker.Cancellation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Transcribes the recordings of a request in order, into one text block each. */
final class Recordings {
    private static final int MAX_TEXT = 256 << 10;
    private static final String CUT = "\n(cut)";

    private final Map<String, Transcriber> byName = new HashMap<>();
    private final BlobStore blobs;

    Recordings(List<Transcriber> transcribers, BlobStore blobs) {
        transcribers.forEach(transcriber -> byName.put(transcriber.name(), transcriber));
        this.blobs = blobs;
    }

    ModelAnswer transcribe(ModelRequest request, Cancellation cancellation) throws ModelFailure, InterruptedException {
        Transcriber transcriber = of(request.agent());
        var texts = new ArrayList<Block>();
        var raw = new RawLog();
        Usage usage = Usage.NONE;
        for (Block.File recording : recordings(request)) {
            Path bytes = blobs.get(recording.sha256())
                    .orElseThrow(() -> new ModelFailure(
                            ErrorCategory.NOT_FOUND,
                            "the recording %s no longer exists".formatted(recording.sha256())));
            Transcription transcription =
                    transcriber.transcribe(request.agent(), CallOwner.of(request), recording, bytes, cancellation);
            texts.add(Block.text(abbreviate(transcription.text())));
            usage = usage.plus(transcription.usage());
            if (transcription.raw() != null) {
                raw.add(transcription.raw());
            }
        }
        return new ModelAnswer(texts, FinishReason.STOP, usage, request.agent().model(), raw.text());
    }

    private static String abbreviate(String text) {
        return text.length() <= MAX_TEXT ? text : Clip.start(text, MAX_TEXT) + CUT;
    }

    /**
     * The transcriber of the agent's provider.
     *
     * @throws ModelFailure when it has none
     */
    Transcriber of(Agent agent) throws ModelFailure {
        Transcriber transcriber = byName.get(agent.provider());
        if (transcriber == null) {
            throw new ModelFailure(
                    ErrorCategory.INVALID_REQUEST,
                    "the provider '%s' cannot transcribe recordings".formatted(agent.provider()));
        }
        return transcriber;
    }

    private static List<Block.File> recordings(ModelRequest request) {
        return request.messages().stream()
                .flatMap(message -> message.blocks().stream())
                .filter(Block.File.class::isInstance)
                .map(Block.File.class::cast)
                .toList();
    }

    void close() {
        byName.values().forEach(Transcriber::close);
    }
}
