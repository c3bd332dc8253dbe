package dev.parley.channels.bots;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.contract.ClippedText;
import dev.parley.domain.protocol.Choice;
import dev.parley.platform.json.JsonMappers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The text and buttons of a human task, and the parser of answers to it. */
final class TaskText {
    private static final ObjectMapper JSON = JsonMappers.request();
    private static final int MAX_PROMPT = 3_000;
    private static final int MAX_BRIEF = 200;
    private static final int MAX_BUTTONS = 30;
    private static final int MAX_LABEL = 60;

    private final JsonNode question;

    /** @param question JSON: prompt, mode, options and so on */
    TaskText(String question) {
        this.question = read(question);
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the question is not valid JSON: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * The question and how to answer it.
     *
     * @param deadline or null
     */
    String text(@Nullable String deadline) {
        var text = new StringBuilder(ClippedText.of(prompt(), MAX_PROMPT));
        for (JsonNode option : options()) {
            String description = option.path("description").asText();
            if (!description.isEmpty()) {
                text.append("\n• ").append(label(option)).append(": ").append(ClippedText.of(description, MAX_BRIEF));
            }
        }
        String hint = hint();
        if (!hint.isEmpty()) {
            text.append("\n\n").append(hint);
        }
        if (deadline != null) {
            text.append("\n\nUntil ").append(deadline);
        }
        return text.toString();
    }

    private String hint() {
        if (isForm()) {
            List<String> lines = fields().names().stream().map(fields()::line).toList();
            return "Reply to this message with a line for each field:\n" + String.join("\n", lines);
        }
        return options().isEmpty() || options().size() > MAX_BUTTONS ? "Reply to this message with your answer." : "";
    }

    /** The question in one line, and its result. */
    String closedText(String result) {
        return ClippedText.of(prompt(), MAX_BRIEF) + "\n\n" + result;
    }

    private String prompt() {
        return question.path("prompt").asText("A workflow asks for an answer.");
    }

    /**
     * Buttons for the options; none where there are too many.
     *
     * @param forms whether the chat shows forms: then a form has a button that opens it
     */
    List<Choice> choices(UUID task, boolean forms) {
        var choices = new ArrayList<Choice>();
        if (forms && form("", "").isPresent()) {
            choices.add(new Choice("Fill in the form", Choice.FORM, task.toString()));
        }
        ArrayNode options = options();
        for (int i = 0; i < options.size() && options.size() <= MAX_BUTTONS; i++) {
            choices.add(new Choice(ClippedText.of(label(options.get(i)), MAX_LABEL), Choice.TASK, task + " " + i));
        }
        return choices;
    }

    private ArrayNode options() {
        return question.path("options").isArray()
                ? (ArrayNode) question.get("options")
                : question.path("optionsFrom").isArray()
                        ? (ArrayNode) question.get("optionsFrom")
                        : JSON.createArrayNode();
    }

    private static JsonNode value(JsonNode option) {
        return option.isObject() ? option.path("value") : option;
    }

    private static String label(JsonNode option) {
        return option.path("label").asText(value(option).asText());
    }

    /** Whether answers must not be shown. */
    boolean isSensitive() {
        return question.path("sensitive").asBoolean();
    }

    /** The answer for the option with this index; empty where it does not exist. */
    Optional<String> option(int index) {
        JsonNode option = options().get(index);
        return option == null ? Optional.empty() : Optional.of(answer("value", value(option)));
    }

    /** The answer in words: an option may be named by its value, its label or its number. */
    String parse(String text) {
        String words = text.strip();
        return isForm()
                ? answer("fields", fields().answer(text))
                : named(words).or(() -> numbered(words)).orElseGet(() -> answer("value", JSON.valueToTree(words)));
    }

    private Optional<String> named(String words) {
        return options()
                .valueStream()
                .filter(option ->
                        value(option).asText().equals(words) || label(option).equalsIgnoreCase(words))
                .findFirst()
                .map(option -> answer("value", value(option)));
    }

    /** Channels that show no buttons number the options. A number that may be an option itself is none. */
    private Optional<String> numbered(String words) {
        boolean areWords = options()
                .valueStream()
                .noneMatch(option -> isNumber(value(option).asText()) || isNumber(label(option)));
        return areWords && isNumber(words) ? option(Integer.parseInt(words.replace(".", "")) - 1) : Optional.empty();
    }

    private static boolean isNumber(String words) {
        return words.matches("\\d{1,3}\\.?");
    }

    private static String answer(String member, JsonNode value) {
        ObjectNode answer = JSON.createObjectNode();
        answer.set(member, value);
        return answer.toString();
    }

    private boolean isForm() {
        return question.path("mode").asText().equalsIgnoreCase("form");
    }

    /** The fields of a form. */
    private TaskForm fields() {
        return new TaskForm(question.path("schema"));
    }

    /** The form of the question; empty for other questions, and forms that cannot be shown. */
    Optional<ChatForm> form(String title, String send) {
        return isForm() ? fields().form(title, ClippedText.of(prompt(), MAX_PROMPT - 1), send) : Optional.empty();
    }

    /** The answer in a form. */
    String answer(Map<String, List<String>> values) {
        return answer("fields", fields().answer(values));
    }
}
