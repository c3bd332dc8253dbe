package dev.parley.channels.openai;

import dev.parley.channels.openai.TurnStarter.Input;
import dev.parley.channels.openai.request.ClientTranscript;
import dev.parley.channels.openai.request.FunctionTools;
import dev.parley.channels.openai.request.InputMessageReader;
import dev.parley.channels.openai.request.RequestMetadata;
import dev.parley.channels.openai.request.RequestSettings;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.web.CallerToolJson;
import dev.parley.platform.http.SettingsJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Request of a chat completion.
 *
 * @param model name of the agent
 * @param tools functions of the client
 * @param session the session to continue, from the metadata
 * @param withUsage whether a stream ends with the usage
 */
record CompletionRequest(
        String model,
        ClientTranscript transcript,
        SettingsJson settings,
        List<CallerToolJson> tools,
        @Nullable String session,
        boolean stream,
        boolean withUsage) {

    /**
     * Parses a body.
     *
     * @throws ProtocolException 400 with the invalid field
     */
    static CompletionRequest read(RequestFields body) {
        String model = body.requireText("model");
        Integer choices = body.integer("n", 1);
        if (choices != null && choices > 1) {
            throw ProtocolException.unsupported("n", "There is one choice: 'n' is 1.");
        }
        if (body.flag("logprobs")) {
            throw ProtocolException.unsupported("logprobs", "Token probabilities are not available.");
        }
        if (body.get("modalities").toString().contains("audio")) {
            throw ProtocolException.unsupported("modalities", "Agents answer in text.");
        }
        boolean stream = body.flag("stream");
        return new CompletionRequest(
                model,
                ClientTranscript.of(InputMessageReader.messages(body), "messages", null),
                RequestSettings.ofCompletion(body),
                FunctionTools.ofCompletion(body),
                RequestMetadata.read(body).session(),
                stream,
                stream && body.object("stream_options").flag("include_usage"));
    }

    /** @param preferred the session to continue instead, or null */
    Input input(@Nullable String preferred) {
        return new Input(model, transcript, settings, tools, preferred == null ? session : preferred, null, null);
    }

    /** Whether the answer is JSON, which no other text may precede. */
    boolean isJson() {
        return settings.responseSchema() != null;
    }
}
