package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.TurnStarter.Input;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.web.CallerToolJson;
import dev.parley.platform.http.SettingsJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Request of a response.
 *
 * @param model name of the agent
 * @param tools functions of the client
 * @param previous the response to continue, or null
 * @param session the session to continue, from {@code conversation} or the metadata, or null
 * @param background whether the client does not wait
 * @param body the request itself, whose options the response repeats
 */
record ResponseRequest(
        String model,
        ClientTranscript transcript,
        SettingsJson settings,
        List<CallerToolJson> tools,
        @Nullable ResponseId previous,
        @Nullable String session,
        boolean stream,
        boolean background,
        RequestMetadata metadata,
        ObjectNode body) {
    private static final String PREVIOUS = "previous_response_id";
    private static final String CONVERSATION = "conversation";

    /**
     * Parses a body.
     *
     * @throws ProtocolException 400 with the invalid field
     */
    static ResponseRequest read(ObjectNode json) {
        RequestFields body = RequestFields.of(json);
        String model = body.requireText("model");
        refusePrompt(body);
        String conversation = conversation(body);
        RequestMetadata metadata = RequestMetadata.read(body);
        ClientTranscript transcript =
                ClientTranscript.of(InputMessageReader.input(body), "input", body.text("instructions"));
        ResponseId previous = previous(body);
        return new ResponseRequest(
                model,
                transcript,
                RequestSettings.ofResponse(body),
                FunctionTools.ofResponse(body),
                previous == null ? transcript.previous() : previous,
                conversation == null ? metadata.session() : conversation,
                body.flag("stream"),
                body.flag("background"),
                metadata,
                json);
    }

    private static void refusePrompt(RequestFields body) {
        if (body.has("prompt")) {
            throw ProtocolException.unsupported("prompt", "Stored prompts are not supported: an agent has its own.");
        }
    }

    private static @Nullable String conversation(RequestFields body) {
        String conversation = body.get(CONVERSATION).isTextual()
                ? body.requireText(CONVERSATION)
                : body.has(CONVERSATION) ? body.object(CONVERSATION).requireText("id") : null;
        if (conversation != null && body.has(PREVIOUS)) {
            throw ProtocolException.invalid(
                    PREVIOUS, "Only one of 'previous_response_id' and 'conversation' can be given.");
        }
        return conversation;
    }

    private static @Nullable ResponseId previous(RequestFields body) {
        String id = body.text(PREVIOUS);
        return id == null ? null : ResponseId.parse(id).orElseThrow(() -> noPrevious(id));
    }

    /** The error that clients expect. */
    static ProtocolException noPrevious(String id) {
        return ProtocolException.badRequest(
                "previous_response_not_found", PREVIOUS, "Previous response with id '%s' not found.".formatted(id));
    }

    /** @param preferred the session to continue instead, or null */
    Input input(@Nullable String preferred) {
        return new Input(model, transcript, settings, tools, preferred == null ? session : preferred, previous);
    }

    /** Whether the answer is JSON, which no other text may precede. */
    boolean isJson() {
        return settings.responseSchema() != null;
    }
}
