package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.ClientTranscript;
import dev.parley.channels.openai.request.FunctionTools;
import dev.parley.channels.openai.request.InputMessageReader;
import dev.parley.channels.openai.request.RequestMetadata;
import dev.parley.channels.openai.request.RequestSettings;
import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.web.CallerToolJson;
import dev.parley.platform.http.SettingsJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Request of a response.
 *
 * @param model name of the agent
 * @param tools functions of the client
 * @param previous the response to continue, or null
 * @param referenced the response of the last item that the input names instead of sending it, or null
 * @param session the session to continue, from {@code conversation} or the metadata, or null
 * @param conversation the conversation as the request names it, or null
 * @param background whether the client does not wait
 * @param items the input as items, without names of other items
 * @param body the request itself, whose options the response repeats
 */
record ResponseRequest(
        String model,
        ClientTranscript transcript,
        SettingsJson settings,
        List<CallerToolJson> tools,
        @Nullable ResponseId previous,
        @Nullable ResponseId referenced,
        @Nullable String session,
        @Nullable String conversation,
        boolean stream,
        boolean background,
        List<RequestFields> items,
        ObjectNode body) {
    private static final String PREVIOUS = "previous_response_id";
    private static final String CONVERSATION = "conversation";
    private static final String INPUT = "input";

    ResponseRequest {
        items = List.copyOf(items);
    }

    /**
     * Parses a body.
     *
     * @param stored finds an item by its id
     * @throws ProtocolException 400 with the invalid field, 404 for an unknown item
     */
    static ResponseRequest read(ObjectNode json, Function<String, Optional<JsonNode>> stored) {
        RequestFields body = RequestFields.of(json);
        String model = body.requireText("model");
        refusePrompt(body);
        String conversation = conversation(body);
        RequestMetadata metadata = RequestMetadata.read(body);
        ResponseId previous = previous(body);
        List<RequestFields> items = InputMessageReader.items(body, INPUT, stored, previous != null);
        ClientTranscript transcript =
                ClientTranscript.of(InputMessageReader.messages(items), INPUT, body.text("instructions"));
        if (previous != null && !transcript.history().isEmpty()) {
            throw ProtocolException.invalid(
                    INPUT,
                    "After 'previous_response_id' the input has no messages of the agent: send the whole conversation"
                            + " without it.");
        }
        return new ResponseRequest(
                model,
                transcript,
                RequestSettings.ofResponse(body),
                FunctionTools.ofResponse(body),
                previous,
                previous == null ? referenced(body) : null,
                conversation == null ? metadata.session() : conversation,
                conversation,
                body.flag("stream"),
                body.flag("background"),
                items,
                json);
    }

    private static @Nullable ResponseId referenced(RequestFields body) {
        if (!body.get(INPUT).isArray()) {
            return null;
        }
        return body.objects(INPUT).stream()
                .filter(InputMessageReader::isReference)
                .flatMap(item -> ResponseId.item(item.requireText("id")).stream())
                .filter(item -> !item.isInput())
                .map(ResponseId.Item::response)
                .reduce((_, last) -> last)
                .orElse(null);
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

    /** The request without its input. */
    ObjectNode options() {
        ObjectNode options = body.deepCopy();
        options.remove(INPUT);
        return options;
    }

    /** The request after earlier items, which are part of the conversation. */
    ClientTranscript after(ArrayNode earlier) {
        var all = new ArrayList<RequestFields>();
        for (JsonNode item : earlier) {
            all.add(new RequestFields(item, "%s.items[%d].".formatted(CONVERSATION, all.size())));
        }
        all.addAll(items);
        return ClientTranscript.of(
                InputMessageReader.messages(all), INPUT, RequestFields.of(body).text("instructions"));
    }

    /** Whether the answer is JSON, which no other text may precede. */
    boolean isJson() {
        return settings.responseSchema() != null;
    }
}
