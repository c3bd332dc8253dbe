package dev.parley.workflows.people;

import com.google.re2j.Pattern;
import dev.parley.platform.regex.Regex;
import dev.parley.workflows.definition.Schema;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A question to a person, with its expressions evaluated.
 *
 * @param definition {@code prompt}, {@code mode}, {@code options} and so on
 */
public record Question(Json definition) {
    private static final int MAX_LENGTH = 20_000;

    /** Kinds of answers. */
    public enum Mode {
        TEXT,
        CHOICE,
        APPROVAL,
        CONFIRM,
        FORM
    }

    /**
     * An option.
     *
     * @param label shown text, by default the value
     */
    public record Option(Json value, String label, String description) {}

    /**
     * A validated answer.
     *
     * @param errors problems of the answer; empty if it is accepted
     */
    public record Answer(Json value, List<String> errors) {}

    /** The kind of answer, by default a text. */
    public Mode mode() {
        return definition
                .get("mode")
                .text()
                .map(mode -> Mode.valueOf(mode.toUpperCase(java.util.Locale.ROOT)))
                .orElse(options().isEmpty() ? Mode.TEXT : Mode.CHOICE);
    }

    /** The options; empty for free answers. */
    public List<Option> options() {
        Json options = definition.get("options").isNull() ? definition.get("optionsFrom") : definition.get("options");
        return options.list().stream().map(Question::option).toList();
    }

    private static Option option(Json option) {
        Json value = option instanceof Json.Obj ? option.get("value") : option;
        return new Option(
                value,
                option.get("label").text().orElse(value.display()),
                option.get("description").text().orElse(""));
    }

    /** Whether answers must not be shown or logged. */
    public boolean isSensitive() {
        return definition.get("sensitive").isTruthy();
    }

    /** Whether the question is repeated after this many invalid answers, by default always. */
    public boolean isRepeated(int invalid) {
        return switch (definition.get("retryOnInvalid")) {
            case Json.Num(BigDecimal count) -> invalid <= count.intValue();
            case Json.Bool repeat -> repeat.isTruthy();
            case Json.Null _, Json.Str _, Json.Arr _, Json.Obj _ -> true;
        };
    }

    /**
     * Validates an answer.
     *
     * @param input a value, or an object with {@code value} or with the fields of a form
     * @return the output of the task: {@code {"value": …}}, or the fields
     */
    public Answer answer(Json input) {
        Json value = value(input);
        Json answer = mode() == Mode.FORM && value instanceof Json.Obj
                ? value
                : Json.of("value", findOption(value).orElse(value));
        if (input instanceof Json.Obj && !input.get("comment").isNull()) {
            answer = answer.with("comment", input.get("comment"));
        }
        return new Answer(answer, errors(value));
    }

    /** The answered value, or the default. */
    private Json value(Json input) {
        boolean hasFields = input.map().containsKey("fields");
        Json value = input;
        if (hasFields) {
            value = input.get("fields");
        } else if (input instanceof Json.Obj && mode() != Mode.FORM) {
            value = input.get("value");
        }
        return value.isNull() ? definition.get("default") : value;
    }

    private List<String> errors(Json value) {
        if (value.isNull()) {
            return definition.get("required").isTruthy() ? List.of("an answer is required") : List.of();
        }
        if (value.weight() > MAX_LENGTH) {
            return List.of("an answer has at most " + MAX_LENGTH + " characters");
        }
        var errors = new ArrayList<String>();
        check(value, errors);
        return errors;
    }

    private void check(Json value, List<String> errors) {
        if (mode() == Mode.FORM && !(value instanceof Json.Obj)) {
            errors.add("a form is answered with its fields");
            return;
        }
        if (!options().isEmpty() && findOption(value).isEmpty()) {
            errors.add("the answer is one of "
                    + String.join(
                            ", ",
                            options().stream()
                                    .map(option -> option.value().display())
                                    .toList()));
            return;
        }
        if (mode() == Mode.TEXT && options().isEmpty() && !(value instanceof Json.Str)) {
            errors.add("the answer is a text");
            return;
        }
        validate(definition.get("schema"), value, errors);
        rules(definition.get("validate"), value, errors);
    }

    /** The value of the selected option: by value, or by label ignoring case. */
    private Optional<Json> findOption(Json value) {
        List<Option> options = options();
        return options.stream()
                .filter(option -> option.value().equals(value))
                .map(Option::value)
                .findFirst()
                .or(() -> options.stream()
                        .filter(option -> option.label().equalsIgnoreCase(value.display())
                                || option.value().display().equalsIgnoreCase(value.display()))
                        .map(Option::value)
                        .findFirst());
    }

    private static void validate(Json schema, Json value, List<String> errors) {
        if (!schema.isNull()) {
            errors.addAll(Schema.of(schema).errors(value));
        }
    }

    private static void rules(Json rules, Json value, List<String> errors) {
        String text = value.display();
        int length = text.codePointCount(0, text.length());
        if (rules.get("minLength") instanceof Json.Num(BigDecimal minimum) && length < minimum.intValue()) {
            errors.add("the answer has at least " + minimum + " characters");
        }
        if (rules.get("maxLength") instanceof Json.Num(BigDecimal maximum) && length > maximum.intValue()) {
            errors.add("the answer has at most " + maximum + " characters");
        }
        if (rules.get("pattern") instanceof Json.Str(String regex)) {
            Pattern pattern = Regex.compile(regex, false);
            if (!pattern.matcher(text).find()) {
                errors.add("the answer does not match " + regex);
            }
        }
        List<Json> allowed = rules.get("enum").list();
        if (!allowed.isEmpty() && !allowed.contains(value)) {
            errors.add("the answer is one of "
                    + String.join(", ", allowed.stream().map(Json::display).toList()));
        }
        validate(rules.get("schema"), value, errors);
    }

    /** The answer as it can be shown: without sensitive values. */
    public Json hideSensitive(Json answer) {
        return isSensitive() ? Json.of("value", Values.NULL) : answer;
    }
}
