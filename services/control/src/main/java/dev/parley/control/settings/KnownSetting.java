package dev.parley.control.settings;

import dev.parley.domain.budget.BudgetScope;
import io.micronaut.json.tree.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What can be set for a host while it runs. */
public enum KnownSetting {
    /** Whether people may register themselves. */
    REGISTRATION(
            "registration",
            "\"open\" or \"closed\"",
            value -> value.isString() && List.of("open", "closed").contains(value.getStringValue())),
    /** How much all of the host may spend. */
    BUDGET(BudgetScope.SETTING, "a budget such as {\"amount\": 10, \"period\": \"day\"}", JsonNode::isObject),
    /** The model of {@code default} and the agents that are built in, before what {@code PARLEY_MODEL} says. */
    DEFAULT_MODEL(
            "defaultModel",
            "a model such as \"openai/gpt-5\"",
            value -> value.isString()
                    && Pattern.matches("[A-Za-z0-9_.-]{1,64}/[^\\s\\p{Cntrl}\"\\\\]{1,126}", value.getStringValue()));

    private final String code;
    private final String form;
    private final Predicate<JsonNode> valid;

    KnownSetting(String code, String form, Predicate<JsonNode> valid) {
        this.code = code;
        this.form = form;
        this.valid = valid;
    }

    /** Its name. */
    public String code() {
        return code;
    }

    /** What is wrong with a value, for people; empty where nothing is. */
    public Optional<String> fault(JsonNode value) {
        if (!valid.test(value)) {
            return Optional.of("is " + form);
        }
        return this == BUDGET ? Budgets.fault(value) : Optional.empty();
    }

    static Optional<KnownSetting> of(String code) {
        return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
    }

    static String all() {
        return Arrays.stream(values()).map(KnownSetting::code).collect(Collectors.joining(", "));
    }
}
