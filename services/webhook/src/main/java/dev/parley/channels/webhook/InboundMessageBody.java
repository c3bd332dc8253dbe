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
import dev.parley.channels.contract.ChannelBot.Command;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.InboundMessage;
import dev.parley.channels.contract.InboundMessage.Attachment;
import dev.parley.channels.contract.InboundMessage.Content;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.Names;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.platform.json.ExactJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
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
    private static final int MAX_PARTS = 64;

    /** Many programs write base64 in lines. */
    private static final Pattern LINE_ENDS = Pattern.compile("[ \\t\\r\\n]+");

    record User(
            @JsonProperty("id") @Nullable String id,
            @JsonProperty("name") @Nullable String name) {}

    record Part(
            @JsonProperty("kind") @Nullable String kind,
            @JsonProperty("text") @Nullable String text,
            @JsonProperty("data") @Nullable String data,
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("mimeType") @Nullable String mimeType) {

        Content content() {
            return switch (kind == null ? "" : kind) {
                case "text" -> new InboundMessage.Text(required("text", text));
                case "file" -> file();
                default -> throw new InvalidRequestException("invalid_part", "The 'kind' of a part is text or file");
            };
        }

        private Attachment file() {
            String type = mimeType == null ? "application/octet-stream" : mimeType;
            String base64 = LINE_ENDS.matcher(required("data", data)).replaceAll("");
            try {
                return new Attachment(
                        required("name", name), type, Base64.getDecoder().decode(base64));
            } catch (IllegalArgumentException e) {
                throw new InvalidRequestException("invalid_part", "The 'data' of a file must be base64");
            }
        }
    }

    private static ObjectMapper mapper() {
        var mapper = ExactJson.requestBuilder()
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
     * @throws InvalidRequestException where it is not valid
     */
    static InboundMessageBody read(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            InboundMessageBody read = JSON.readValue(text, InboundMessageBody.class);
            if (read == null) {
                throw new InvalidRequestException("bad_request", "The body must be a JSON object");
            }
            return read;
        } catch (CharacterCodingException e) {
            throw new InvalidRequestException("invalid_utf8", "The body is not valid UTF-8.");
        } catch (UnrecognizedPropertyException e) {
            throw new InvalidRequestException("unknown_field", "Unknown field '" + e.getPropertyName() + "'");
        } catch (JsonProcessingException e) {
            throw new InvalidRequestException(
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
        String name = user == null || user.name() == null ? userId : user.name();
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new InvalidRequestException("invalid_text", "A text contains an unpaired surrogate");
        }
        if (name.isBlank() || name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidRequestException("invalid_field", "The field 'user.name' is 1 to 200 characters");
        }
        Names.problemOfText(name).ifPresent(problem -> {
            throw new InvalidRequestException("invalid_field", "The field 'user.name' " + problem);
        });
        return new Sender(userId, name);
    }

    private static String required(String field, @Nullable String value) {
        if (value == null) {
            throw new InvalidRequestException("missing_field", "The field '" + field + "' is missing");
        }
        return value;
    }

    private static String matching(String field, @Nullable String value, Pattern pattern, String form) {
        if (!pattern.matcher(required(field, value)).matches()) {
            throw new InvalidRequestException("invalid_field", "The field '" + field + "' is " + form);
        }
        return required(field, value);
    }

    /** The message of this body. */
    InboundMessage message(String bot) {
        return new InboundMessage(address(bot), reference(), sender(), content(), false, mailboxMode());
    }

    private List<Content> content() {
        if ((text == null) == (parts == null)) {
            throw new InvalidRequestException("missing_field", "A message needs either 'text' or 'parts'");
        }
        if (text != null) {
            return List.of(new InboundMessage.Text(text));
        }
        if (parts.size() > MAX_PARTS) {
            throw new InvalidRequestException("too_many_parts", "A message has at most " + MAX_PARTS + " parts");
        }
        return parts.stream()
                .map(part -> part == null ? new Part(null, null, null, null, null) : part)
                .map(Part::content)
                .toList();
    }

    private MailboxMode mailboxMode() {
        return mode == null
                ? MailboxMode.FOLLOWUP
                : Arrays.stream(MailboxMode.values())
                        .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(mode))
                        .findFirst()
                        .orElseThrow(() -> new InvalidRequestException(
                                "invalid_mode", "The 'mode' is followup, steer, collect, interrupt or reject"));
    }

    /** The command of this name. */
    Command parsedCommand(String name) {
        if (text != null || parts != null || mode != null) {
            throw new InvalidRequestException("invalid_command", "A command must not have 'text', 'parts' or 'mode'");
        }
        return switch (name) {
            case "stop" -> Command.STOP;
            case "new" -> Command.NEW;
            case "undo" -> Command.UNDO;
            case "forget" -> Command.FORGET;
            default ->
                throw new InvalidRequestException("invalid_command", "The 'command' is stop, new, undo or forget");
        };
    }
}
