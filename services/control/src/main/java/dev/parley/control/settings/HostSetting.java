package dev.parley.control.settings;

import dev.parley.control.http.JsonColumns;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.platform.schema.JsonSchema;
import io.micronaut.json.tree.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Host settings that Parley reads at runtime. */
public enum HostSetting {
    /** Whether people may register themselves: open or closed. */
    REGISTRATION(
            "registration",
            "Whether people may register themselves.",
            "\"open\" or \"closed\"",
            "{\"type\":\"string\",\"enum\":[\"open\",\"closed\"]}"),
    /** Who may create projects: everyone or administrators. */
    PROJECT_CREATION(
            "projectCreation",
            "Who may create projects.",
            "\"everyone\" or \"administrators\"",
            "{\"type\":\"string\",\"enum\":[\"everyone\",\"administrators\"]}"),
    /** The budget of the host. */
    BUDGET(
            BudgetScope.SETTING,
            "How much all of the host may spend.",
            "a budget such as {\"amount\": 10, \"period\": \"day\"}",
            "{\"type\":\"object\"}"),
    /** The model of {@code default} and the built-in agents; overrides {@code PARLEY_MODEL}. */
    DEFAULT_MODEL(
            "defaultModel",
            "The model of the agent default and of those that are built in, before what PARLEY_MODEL says.",
            "a model such as \"openai/gpt-5\"",
            """
            {"type":"string","pattern":"^[A-Za-z0-9_.-]{1,64}/[^\\\\s\\\\p{Cc}\\"\\\\\\\\]{1,126}$"}""");

    private final String code;
    private final String description;
    private final String form;
    private final String schema;
    private final JsonSchema valid;

    HostSetting(String code, String description, String form, String schema) {
        this.code = code;
        this.description = description;
        this.form = form;
        this.schema = schema;
        this.valid = JsonSchema.of(schema);
    }

    /** The name of the setting. */
    public String code() {
        return code;
    }

    /** The description for people. */
    String description() {
        return description;
    }

    /** The JSON Schema of its values. */
    String schema() {
        return schema;
    }

    /** The fault of a value, for people; empty for a valid one. */
    public Optional<String> fault(JsonNode value) {
        if (!valid.errors(JsonColumns.text(value)).isEmpty()) {
            return Optional.of("must be " + form);
        }
        return this == BUDGET ? BudgetValidation.fault(value) : Optional.empty();
    }

    /** The setting of this name. */
    public static Optional<HostSetting> of(String code) {
        return Arrays.stream(values())
                .filter(setting -> setting.code.equals(code))
                .findFirst();
    }

    /**
     * Whether the setting is published on the topic {@code access}; settings that Parley does not read are only
     * stored.
     */
    public static boolean isRead(String name) {
        return !isOfHost(name) || of(name).isPresent();
    }

    /** Names of settings of projects and people, such as budgets, contain a slash; those of the host do not. */
    static boolean isOfHost(String name) {
        return name.indexOf('/') < 0;
    }

    static List<String> codes() {
        return Arrays.stream(values()).map(HostSetting::code).toList();
    }
}
