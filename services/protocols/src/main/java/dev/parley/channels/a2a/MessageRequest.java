package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.a2a.A2aException.Code;
import dev.parley.channels.contract.Part;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.domain.protocol.ApprovalAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message to an agent.
 *
 * @param id the sender's id of the message, by which a repetition is recognised
 * @param context the session, or null for a new one
 * @param task the task that it answers, or null for a new one
 * @param data data parts
 * @param waits whether the response is sent when the task ends or waits for an approval
 * @param history whether the response contains the messages
 */
record MessageRequest(
        String id,
        @Nullable String context,
        @Nullable String task,
        List<Part> parts,
        List<ObjectNode> data,
        boolean waits,
        boolean history) {
    private static final int MAX_PARTS = 60;
    private static final int MAX_ID = 500;
    private static final Set<String> YES =
            Set.of("yes", "y", "ok", "okay", "allow", "allowed", "approve", "approved", "once");
    private static final Set<String> NO = Set.of("no", "n", "deny", "denied", "reject", "rejected");

    MessageRequest {
        parts = List.copyOf(parts);
        data = List.copyOf(data);
    }

    /**
     * Parses a request.
     *
     * @throws A2aException where it is invalid
     * @throws dev.parley.channels.protocols.ProtocolException where it is invalid
     */
    static MessageRequest read(A2aVersion dialect, RequestFields params) {
        if (!params.has("message")) {
            throw A2aException.invalid("The 'message' is missing.");
        }
        RequestFields message = params.object("message");
        RequestFields configuration = params.object("configuration");
        refusePush(configuration);
        requireRole(dialect.role(false), message);
        var parts = new ArrayList<Part>();
        var data = new ArrayList<ObjectNode>();
        parts(message).forEach(part -> read(part, dialect, parts, data));
        boolean waits = waits(dialect, configuration);
        return new MessageRequest(
                id(message),
                nonEmpty(message.text("contextId")),
                nonEmpty(message.text("taskId")),
                parts,
                data,
                waits,
                history(configuration));
    }

    private static void requireRole(String role, RequestFields message) {
        if (!role.equals(message.requireText("role"))) {
            throw message.invalid("role", role);
        }
    }

    private static List<RequestFields> parts(RequestFields message) {
        List<RequestFields> parts = message.objects("parts");
        if (parts.isEmpty() || parts.size() > MAX_PARTS) {
            throw A2aException.invalid("A message has 1 to %d 'parts'.".formatted(MAX_PARTS));
        }
        return parts;
    }

    private static boolean waits(A2aVersion dialect, RequestFields configuration) {
        return dialect == A2aVersion.V1_0
                ? !configuration.flag("returnImmediately")
                : !configuration.has("blocking") || configuration.flag("blocking");
    }

    private static String id(RequestFields message) {
        String id = message.requireText("messageId");
        if (id.length() > MAX_ID) {
            throw message.invalid("messageId", "a string of at most %d characters".formatted(MAX_ID));
        }
        return id;
    }

    private static void refusePush(RequestFields configuration) {
        if (configuration.has("pushNotificationConfig") || configuration.has("taskPushNotificationConfig")) {
            throw noPush();
        }
    }

    static A2aException noPush() {
        return new A2aException(
                Code.PUSH_NOTIFICATION_NOT_SUPPORTED,
                "Nothing is sent to addresses of others: stream the task, or ask for it again.");
    }

    /** Whether the response contains messages. */
    static boolean history(RequestFields fields) {
        Integer length = fields.integer("historyLength", 0);
        return length == null || length > 0;
    }

    /** An empty string is absent, as in protocol buffers. */
    static @Nullable String nonEmpty(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static void read(RequestFields part, A2aVersion dialect, List<Part> parts, List<ObjectNode> data) {
        if (part.has("text")) {
            parts.add(MessageParts.text(String.valueOf(part.text("text"))));
        } else if (part.has("data")) {
            JsonNode value = part.get("data");
            if (value instanceof ObjectNode object) {
                data.add(object);
            }
            parts.add(MessageParts.text(ProtocolJson.text(value)));
        } else if (dialect == A2aVersion.V1_0 && part.has("raw")) {
            parts.add(file(part.requireText("raw"), part.text("filename"), part.text("mediaType")));
        } else if (dialect == A2aVersion.V0_3 && part.object("file").has("bytes")) {
            RequestFields file = part.object("file");
            parts.add(file(file.requireText("bytes"), file.text("name"), file.text("mimeType")));
        } else {
            throw new A2aException(
                    Code.CONTENT_TYPE_NOT_SUPPORTED,
                    "'%s' has neither a text, data nor the bytes of a file; addresses are not fetched."
                            .formatted(part.path().replaceAll("\\.$", "")));
        }
    }

    private static Part file(String bytes, @Nullable String name, @Nullable String type) {
        return MessageParts.file(
                Objects.requireNonNullElse(nonEmpty(name), "file"),
                Objects.requireNonNullElse(nonEmpty(type), "application/octet-stream"),
                bytes);
    }

    /**
     * An answer to a question.
     *
     * @param question its id, or null for all open ones
     */
    record Answer(@Nullable String question, ApprovalAnswer answer) {}

    /**
     * The answers in the message: as data, or as one word.
     *
     * @throws A2aException where it has none
     */
    List<Answer> answers() {
        List<Answer> answers = data.stream()
                .filter(answer -> answer.path("approved").isBoolean())
                .map(answer -> new Answer(answer.path("question").textValue(), answer(answer)))
                .toList();
        return answers.isEmpty()
                ? List.of(
                        new Answer(
                                null,
                                word().orElseThrow(
                                                () -> A2aException.invalid(
                                                        "The task asks whether a tool may be called. Answer yes or no, or with data: {\"approved\": true}, "
                                                                + "where 'question' names one of several, and 'scope' is once, session, project or host."))))
                : answers;
    }

    private static ApprovalAnswer answer(ObjectNode data) {
        if (!data.path("approved").booleanValue()) {
            return ApprovalAnswer.REJECT;
        }
        return ApprovalAnswer.ofPerson(data.path("scope").asText("once"))
                .filter(ApprovalAnswer::allows)
                .orElseThrow(() -> A2aException.invalid("A 'scope' is once, session, project or host."));
    }

    private Optional<ApprovalAnswer> word() {
        String text =
                MessageParts.text(parts, "").strip().toLowerCase(Locale.ROOT).replaceAll("[.!]+$", "");
        return YES.contains(text)
                ? Optional.of(ApprovalAnswer.ONCE)
                : NO.contains(text) ? Optional.of(ApprovalAnswer.REJECT) : Optional.empty();
    }
}
