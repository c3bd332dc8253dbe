package dev.parley.agents.model.openai;

import dev.parley.agents.model.CallOwner;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.Transcriber;
import dev.parley.agents.model.wire.ModelHttp;
import dev.parley.agents.model.wire.Payment;
import dev.parley.agents.model.wire.ProviderErrors;
import dev.parley.agents.model.wire.ProviderKeys;
import dev.parley.agents.model.wire.ResponseHandler;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transcriber for OpenAI's audio API and compatible servers: whisper.cpp, Speaches, vLLM, Groq.
 *
 * @see <a href="https://platform.openai.com/docs/api-reference/audio/createTranscription">its reference</a>
 */
public final class OpenAiTranscriber implements Transcriber {
    /** OpenAI's limit for one recording, in bytes. */
    private static final long MAX_BYTES = 25_000_000;

    /** File extensions by MIME type: the API determines the format by the extension. */
    private static final Map<String, String> EXTENSIONS = Map.ofEntries(
            Map.entry("audio/ogg", "ogg"),
            Map.entry("audio/oga", "ogg"),
            Map.entry("audio/opus", "ogg"),
            Map.entry("audio/mpeg", "mp3"),
            Map.entry("audio/mp3", "mp3"),
            Map.entry("audio/mp4", "m4a"),
            Map.entry("audio/m4a", "m4a"),
            Map.entry("audio/x-m4a", "m4a"),
            Map.entry("audio/wav", "wav"),
            Map.entry("audio/x-wav", "wav"),
            Map.entry("audio/wave", "wav"),
            Map.entry("audio/webm", "webm"),
            Map.entry("audio/flac", "flac"),
            Map.entry("audio/x-flac", "flac"));

    private final ProviderConfig config;
    private final ProviderKeys keys;
    private final ModelHttp http;

    public OpenAiTranscriber(ProviderConfig config, ProviderKeys keys) {
        this.config = config;
        this.keys = keys;
        this.http = new ModelHttp(config);
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public Transcription transcribe(
            Agent agent, CallOwner owner, Block.File recording, Path bytes, Cancellation cancellation)
            throws ModelFailure, InterruptedException {
        if (recording.size() > MAX_BYTES) {
            throw new ModelFailure(
                    ErrorCategory.INVALID_REQUEST,
                    "the recording has %d bytes; the limit is %d".formatted(recording.size(), MAX_BYTES));
        }
        var reader = new Reader();
        var file = new ModelHttp.Upload("file", name(recording), recording.mimeType(), bytes);
        var fields = Map.of("model", agent.model(), "response_format", "json");
        Payment payment = keys.payment(config, agent, owner);
        try {
            http.post("/audio/transcriptions", payment.bearer(), fields, file, cancellation, reader);
            return reader.transcription();
        } catch (ModelFailure e) {
            throw payment.redact(e);
        }
    }

    private static String name(Block.File recording) {
        String type = recording.mimeType().replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
        String extension = EXTENSIONS.get(type);
        return extension == null ? recording.name() : "recording." + extension;
    }

    /** Reads the response object. */
    private static final class Reader implements ResponseHandler {
        private @Nullable VerbatimJson answer;

        @Override
        public Progress onEvent(String data) throws IOException {
            throw new IOException("a transcript is not streamed");
        }

        @Override
        public void onBody(String body) throws IOException {
            answer = VerbatimJson.parse(body);
        }

        Transcription transcription() throws ModelFailure {
            VerbatimJson json = answer;
            if (json == null) {
                throw ProviderErrors.brokenOff();
            }
            ModelFailure failure = ProviderErrors.findFailure(json);
            if (failure != null) {
                throw failure;
            }
            if (!json.at("text").isString()) {
                throw new ModelFailure(
                        ErrorCategory.SERVER, "the transcript has no text: " + ProviderErrors.brief(json.text()));
            }
            return new Transcription(json.at("text").string(), usage(json.at("usage")), json.text());
        }

        /** The usage; zero for models that are billed by the minute. */
        private static Usage usage(VerbatimJson usage) {
            return new Usage(
                    usage.at("input_tokens").number(), usage.at("output_tokens").number(), 0, 0, 0, null);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
