package dev.parley.channels.webhook;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.type.LogicalType;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.InboundMessage;
import dev.parley.channels.contract.Part;
import dev.parley.channels.contract.Sender;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.ReadableText;
import dev.parley.platform.json.JsonMappers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Request body of an inbound webhook: a message or a command of a user of the other system. */
record InboundMessageBody(
        @JsonProperty("id") @Nullable String id,
        @JsonProperty("chat") @Nullable String chat,
        @JsonProperty("topic") @Nullable String topic,
        @JsonProperty("user") @Nullable User user,
        @JsonProperty("text") @Nullable String text,
        @JsonProperty("parts") @Nullable List<@Nullable Part> parts,
        @JsonProperty("mode") @Nullable String mode,
        @JsonProperty("command") @Nullable String command) {

    private static final ObjectMapper JSON = mapper();
    private static final int MAX_NAME = 200;

    record User(
            @JsonProperty("id") @Nullable String id,
            @JsonProperty("name") @Nullable String name) {}

    private static ObjectMapper mapper() {
        var mapper = JsonMappers.requestBuilder()
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        var texts = mapper.coercionConfigFor(LogicalType.Textual);
        List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)
                .forEach(shape -> texts.setCoercion(shape, CoercionAction.Fail));
        return mapper;
    }

    /**
     * Parses a body.
     *
     * @throws ApiException 400 where it is not valid
     */
    static InboundMessageBody read(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            InboundMessageBody read = JSON.readValue(text, InboundMessageBody.class);
            if (read == null) {
                throw ApiException.badRequest("bad_request", "The body must be a JSON object");
            }
            return read;
        } catch (CharacterCodingException e) {
            throw ApiException.badRequest("invalid_utf8", "The body is not valid UTF-8.");
        } catch (UnrecognizedPropertyException e) {
            throw ApiException.badRequest("unknown_field", "Unknown field '" + e.getPropertyName() + "'");
        } catch (JsonProcessingException e) {
            throw ApiException.badRequest(
                    "bad_request",
                    "The body is not a valid JSON object with the fields 'id', 'chat', 'topic', 'user', 'text', 'parts',"
                            + " 'mode' and 'command'");
        }
    }

    /** The id of the message, by which a redelivery is recognised. */
    String reference() {
        return matching("id", id, InboundMessage.REFERENCE, "1 to 126 printable ASCII characters without spaces");
    }

    /** The conversation of the message. */
    ConversationAddress address(String bot) {
        String form = "1 to 128 printable ASCII characters without spaces, '/', '#' and ':'";
        return new ConversationAddress(
                bot,
                matching("chat", chat, ConversationAddress.NAME, form),
                topic == null ? null : matching("topic", topic, ConversationAddress.NAME, form));
    }

    /** The sender of the message. */
    Sender sender() {
        String userId = matching(
                "user.id",
                user == null ? null : user.id(),
                InboundMessage.REFERENCE,
                "1 to 126 printable ASCII characters without spaces");
        String name = user == null || user.name() == null ? userId : ContentReader.requireEncodable(user.name());
        if (name.isBlank() || name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw ApiException.badRequest("invalid_field", "The field 'user.name' is 1 to 200 characters");
        }
        return new Sender(userId, ReadableText.require("user.name", name));
    }

    private static String matching(String field, @Nullable String value, Pattern pattern, String form) {
        if (value == null) {
            throw ApiException.badRequest("missing_field", "The field '" + field + "' is missing");
        }
        if (!pattern.matcher(value).matches()) {
            throw ApiException.badRequest("invalid_field", "The field '" + field + "' is " + form);
        }
        return value;
    }

    /** The parts; null where there are none. */
    @Nullable
    List<Part> validParts() {
        if (parts == null) {
            return null;
        }
        return parts.stream()
                .map(part -> {
                    if (part == null) {
                        throw ApiException.badRequest("invalid_part", "The 'kind' of a part is text or file");
                    }
                    return part;
                })
                .toList();
    }
}
